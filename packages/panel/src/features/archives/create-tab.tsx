import { Group, SimpleGrid, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useServices } from '../../platform/api/services.ts';
import { fromInputValue, toInputValue } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { MomentField } from '../../ui/range/moment-field.tsx';
import { BlockerText } from './blocker-text.tsx';
import { type CutoffChoice, customProblem, cutoffOf, defaultDays, PRESET_DAYS, type PresetDays } from './cutoff.ts';
import { CutoffPreview } from './cutoff-preview.tsx';
import { archiveBlocker } from './gates.ts';
import { CurrentRun, type Watching } from './runs/current-run.tsx';
import { StepsPanel } from './steps-panel.tsx';
import { usePreview } from './use-archives.ts';
import type { Maintenance, NewRun } from './wire.ts';

/** Delay after typing before the preview is requested, ms. */
const TYPING_MS = 250;
const NONE_EMPTY: ReadonlySet<PresetDays> = new Set();

interface CreateTabProps extends Watching {
  readonly maintenance: Maintenance;
  readonly busy: boolean;
  readonly onCreate: (wanted: NewRun) => void;
}

/** A new run for events older than a time, after a preview, beside a compaction. Or what must end before there can be one. */
export function CreateTab({ maintenance, busy, onCreate, ...watching }: CreateTabProps) {
  const { t } = useText();
  const blocker = archiveBlocker(maintenance);
  const active = maintenance.active_run !== undefined || maintenance.active_lock !== undefined;
  return (
    <SimpleGrid minColWidth="min(100%, max(470px, 34%))">
      {active ? (
        <CurrentRun maintenance={maintenance} {...watching} />
      ) : (
        <section className="panel" aria-label={t('archives.create')}>
          <div className="panel-head">
            <h2>{t('archives.create')}</h2>
          </div>
          <Stack className="panel-body">
            {blocker === null ? (
              <CreateForm maintenance={maintenance} busy={busy} onCreate={onCreate} />
            ) : (
              <BlockerText blocker={blocker} />
            )}
          </Stack>
        </section>
      )}
      {!active && maintenance.compacting_run !== undefined && <CurrentRun maintenance={maintenance} {...watching} />}
      <StepsPanel />
    </SimpleGrid>
  );
}

function CreateForm({ maintenance, busy, onCreate }: Pick<CreateTabProps, 'maintenance' | 'busy' | 'onCreate'>) {
  const { t } = useText();
  const zone = useTimeZone();
  const { client } = useServices();
  // The page may stay open for days; a moving cutoff would request another preview each minute.
  const [nowMs] = useState(() => client.now());
  const [empty, setEmpty] = useState(NONE_EMPTY);
  const [chosen, setChosen] = useState<CutoffChoice | null>(null);
  const [typed, setTyped] = useState('');
  const choice = chosen ?? { kind: 'days', days: defaultDays(maintenance.raw_min_timestamp_ms, nowMs, empty) };
  const cutoff = cutoffOf(choice, nowMs);
  const problem = choice.kind === 'custom' ? customProblem(fromInputValue(typed, zone), nowMs) : null;
  const settled = useSettled(problem === null ? cutoff : null);
  const preview = usePreview(settled);
  const found = settled === cutoff ? preview.data : undefined;

  useEffect(() => {
    // Nobody has chosen yet: the next shorter preset may contain events.
    if (chosen !== null || found?.event_count !== 0) return;
    const days = defaultDays(maintenance.raw_min_timestamp_ms, nowMs, empty);
    if (!empty.has(days)) setEmpty(new Set([...empty, days]));
  }, [chosen, found, empty, maintenance.raw_min_timestamp_ms, nowMs]);

  const choose = (value: string) => {
    const days = PRESET_DAYS.find((preset) => String(preset) === value);
    if (days !== undefined) setChosen({ kind: 'days', days });
    else {
      setTyped(toInputValue(cutoff, zone));
      setChosen({ kind: 'custom', atMs: cutoff });
    }
  };
  const type = (text: string) => {
    setTyped(text);
    setChosen({ kind: 'custom', atMs: fromInputValue(text, zone) ?? 0 });
  };
  return (
    <>
      <Group align="flex-end" gap="8px 12px">
        <Segmented
          label={t('archives.olderThan')}
          value={choice.kind === 'custom' ? 'custom' : String(choice.days)}
          options={[
            ...PRESET_DAYS.map((days) => ({ value: String(days), label: t('archives.days', { count: days }) })),
            { value: 'custom', label: t('archives.custom') },
          ]}
          onChange={choose}
        />
        {choice.kind === 'custom' && <CustomCutoff typed={typed} maxMs={nowMs} problem={problem} onType={type} />}
      </Group>
      <CutoffPreview
        cutoffMs={cutoff}
        maintenance={maintenance}
        query={preview}
        known={found}
        invalid={problem !== null}
        busy={busy}
        onCreate={onCreate}
      />
    </>
  );
}

function CustomCutoff({
  typed,
  maxMs,
  problem,
  onType,
}: {
  readonly typed: string;
  readonly maxMs: number;
  readonly problem: ReturnType<typeof customProblem>;
  readonly onType: (text: string) => void;
}) {
  const { t } = useText();
  const zone = useTimeZone();
  return (
    <MomentField
      label={t('archives.before', { zone })}
      value={typed}
      max={toInputValue(maxMs, zone)}
      error={problem !== null && t(problem === 'future' ? 'archives.cutoffFuture' : 'archives.cutoffMissing')}
      onChange={onType}
    />
  );
}

/** The debounced value; presets are delayed too, which is not noticeable. */
function useSettled(value: number | null): number | null {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
