import type { InspectionRun, InspectionRunDetail } from '@manager/core/contract/inspection/runs';
import { Box, Group } from '@mantine/core';
import type { DataSource } from '../../../platform/api/data-source.ts';
import type { AddressState } from '../../../platform/browser/address.ts';
import { useNow } from '../../../platform/browser/clock.ts';
import { formatCount, formatDuration } from '../../../platform/format/format.ts';
import { shown } from '../../../platform/format/shown.ts';
import { dateAndTime } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { SourceAge } from '../../../ui/feedback/source-view.tsx';
import { AUTO_MODE_LABELS } from '../../../ui/inspection/schedule-view.ts';
import type { InspectionSearch } from '../inspection-search.ts';
import type { Inspection } from '../use-inspection.ts';
import { RunStatus, triggerText } from './history-panel.tsx';
import { progressOf, runDuration } from './run-view.ts';

interface RunBarProps {
  readonly inspection: Inspection;
  readonly source: DataSource<InspectionRunDetail>;
  /** A run was chosen that may not be the newest one. */
  readonly isChosen: boolean;
  readonly onStart: () => void;
  readonly onChange: AddressState<InspectionSearch>['change'];
}

/** The shown run: its state and progress, and the buttons that stop it or start another. */
export function RunBar({ inspection, source, isChosen, onStart, onChange }: RunBarProps) {
  const { t } = useText();
  const { active, doing, shownId, run } = inspection;
  const elsewhere = active !== undefined && String(active.id) !== shownId;
  return (
    <section className="panel" aria-label={t('inspection.run')} aria-busy={source.busy}>
      <Group gap="8px 12px" p="md">
        {run === undefined ? <span className="skeleton" style={{ width: 280 }} /> : <RunFacts run={run} />}
        <SourceAge source={source} />
        <span className="spacer" />
        {(isChosen || elsewhere) && (
          <Button onClick={() => onChange({ run: elsewhere ? String(active.id) : '', result: '' })}>
            {elsewhere ? t('inspection.toActive') : t('inspection.toNewest')}
          </Button>
        )}
        {active === undefined ? (
          <Button kind="primary" disabled={doing !== null} aria-busy={doing === 'start'} onClick={onStart}>
            {t('inspection.start')}
          </Button>
        ) : (
          <Button
            disabled={!active.cancellable || doing === 'cancel' || active.status === 'cancelling'}
            aria-busy={doing === 'cancel' || active.status === 'cancelling'}
            onClick={() => void inspection.cancel(String(active.id))}
          >
            {active.status === 'cancelling' ? t('inspectionRun.cancelling') : t('inspection.cancel')}
          </Button>
        )}
      </Group>
      {run?.active === true && <RunProgress run={run} />}
      {run?.error !== undefined && <RunError text={run.error} />}
    </section>
  );
}

function RunFacts({ run }: { readonly run: InspectionRun }) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const now = useNow();
  const mode = run.settings.autoActionMode;
  const parts = [
    triggerText(run, t),
    t('inspection.startedAt', { time: dateAndTime(run.startedAtMs, zone, locale) }),
    runDuration(run, now) === null ? '' : formatDuration(runDuration(run, now)),
    mode === 'disable' || mode === 'delete' ? t('inspection.automatic', { mode: t(AUTO_MODE_LABELS[mode]) }) : '',
  ].filter(Boolean);
  return (
    <>
      <RunStatus run={run} t={t} />
      <span className="small ink-2">{parts.join(' · ')}</span>
    </>
  );
}

function RunProgress({ run }: { readonly run: InspectionRun }) {
  const { t } = useText();
  const { done, total } = progressOf(run);
  const percent = total === null || total === 0 ? null : Math.floor((done / total) * 100);
  const text =
    total === null
      ? t('inspection.listing')
      : t('inspection.progress', { done: formatCount(done), total: formatCount(total), count: total });
  return (
    <Group wrap="nowrap" p="0 12px 12px">
      <div
        className="bar"
        role="progressbar"
        aria-label={t('inspection.progressLabel')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={text}
        {...(percent === null ? {} : { 'aria-valuenow': percent })}
        data-state="running"
        data-unknown={percent === null ? '' : undefined}
      >
        {percent !== null && <i style={{ width: `${percent}%` }} />}
      </div>
      <span className="small ink-2">{text}</span>
    </Group>
  );
}

function RunError({ text }: { readonly text: string }) {
  const masker = useMasker();
  return (
    <Box component="p" p="0 12px 12px" className="form-error wrap">
      {shown(masker.text(text))}
    </Box>
  );
}
