import type { ArchiveSegment } from '@manager/core/contract/archives/runs';
import { Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatBytes, formatCount, formatShare, NONE } from '../../../platform/format/format.ts';
import { dateAndTime, datedDay } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy.tsx';
import { useDrawerFocus } from '../../../ui/dialog/use-drawer-focus.ts';
import { FactLines } from '../../../ui/display/fact-lines.tsx';
import { Marked } from '../../../ui/display/marked.tsx';
import { Shape } from '../../../ui/display/status.tsx';
import { Icon } from '../../../ui/icons.tsx';
import type { Maintenance, Run, RunAnswer } from '../wire.ts';
import { modeText, RunStatus } from './run-columns.tsx';
import { type RunCommands, RunFoot } from './run-foot.tsx';
import { SegmentsSection } from './run-segments.tsx';
import { compressedShare, type StepName, statusExplanation, stepsOf } from './run-view.ts';
import { StageProgress } from './stage-progress.tsx';
import { STATE_WORDS, STEP_LABELS, STEP_TONES } from './step-line.tsx';

interface RunDrawerProps {
  /** Null while loading or when not found: `children` shows which. */
  readonly answer: RunAnswer | null;
  readonly children?: ReactNode;
  readonly maintenance: Maintenance;
  readonly docked: boolean;
  readonly commands: RunCommands;
  readonly onClose: () => void;
}

/** Details of one run: its progress, contents and actions. */
export function RunDrawer({ answer, children, maintenance, docked, commands, onClose }: RunDrawerProps) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const panel = useDrawerFocus(docked);
  const run = answer?.run ?? null;
  const cutoff = run === null ? '' : datedDay(run.cutoff_timestamp_ms, zone, locale);
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      className="drawer"
      aria-label={t('archives.run')}
      {...(docked ? {} : { 'data-overlay': '' })}
    >
      <div className="drawer-head row">
        {run !== null && <RunStatus run={run} t={t} pill />}
        <b className="ellipsis">{run === null ? t('archives.run') : t('archives.beforeDay', { day: cutoff })}</b>
        <span className="spacer" />
        <Button kind="quiet" square aria-label={t('common.close')} onClick={onClose}>
          <Icon name="close" />
        </Button>
      </div>
      {answer === null ? (
        <div className="drawer-scroll">{children}</div>
      ) : (
        <>
          <div className="drawer-scroll">
            <SituationSection run={answer.run} />
            <StepsSection run={answer.run} segments={answer.segments} />
            <FactsSection run={answer.run} />
            <SegmentsSection run={answer.run} segments={answer.segments} />
          </div>
          <RunFoot run={answer.run} maintenance={maintenance} commands={commands} />
        </>
      )}
    </aside>
  );
}

function SituationSection({ run }: { readonly run: Run }) {
  const { t } = useText();
  const situation = statusExplanation(run);
  return (
    <Stack component="section">
      <p>
        <Marked text={situation === null ? t('archiveText.unknown', { state: run.status }) : t(situation)} />
      </p>
      <StageProgress run={run} />
    </Stack>
  );
}

/** What was done when, and the results. */
function StepsSection({ run, segments }: { readonly run: Run; readonly segments: readonly ArchiveSegment[] }) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const outcome = (name: StepName): string => {
    switch (name) {
      case 'previewed':
        return t('archives.outcomeCounted', { events: formatCount(run.event_count) });
      case 'archived':
        return run.archived_event_count === 0
          ? ''
          : t('archives.outcomeArchived', {
              events: formatCount(run.archived_event_count),
              count: segments.length,
              size: formatBytes(run.archived_compressed_bytes),
            });
      case 'verified':
        return '';
      case 'deleted':
        return run.deleted_event_count === 0
          ? ''
          : t('archives.outcomeDeleted', { events: formatCount(run.deleted_event_count) });
      case 'compacted':
        return run.compaction === 'not_needed' ? t('archives.outcomeReused') : '';
    }
  };
  return (
    <section aria-label={t('archives.progress')}>
      <h2>{t('archives.progress')}</h2>
      <Stack component="ol" gap="sm">
        {stepsOf(run).map((step) => {
          const text = outcome(step.name);
          return (
            <Group component="li" wrap="nowrap" key={step.name}>
              <Shape tone={STEP_TONES[step.state]} />
              <span style={{ flex: 1 }}>
                <span className={step.state === 'open' ? 'ink-2' : 'bold'}>{t(STEP_LABELS[step.name])}</span>
                {text !== '' && <span className="ink-2"> · {text}</span>}
              </span>
              <span className="ink-3 nowrap">
                {step.atMs === null ? t(STATE_WORDS[step.state]) : dateAndTime(step.atMs, zone, locale)}
              </span>
            </Group>
          );
        })}
      </Stack>
    </section>
  );
}

function FactsSection({ run }: { readonly run: Run }) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const time = (ms: number | undefined) => dateAndTime(ms, zone, locale, true);
  const written = run.archived_event_count > 0;
  const compressed = t('archives.compressedTo', {
    size: formatBytes(run.archived_compressed_bytes),
    share: formatShare(compressedShare(run)),
  });
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('archives.mode'), modeText(run.mode, t)],
    [t('archives.cutoff'), `${time(run.cutoff_timestamp_ms)} ${zone}`],
    [t('archives.events'), formatCount(run.event_count)],
    [t('archives.archivedShort'), formatCount(run.archived_event_count)],
    [t('archives.deletedShort'), formatCount(run.deleted_event_count)],
    ...(written ? [] : [[t('archives.estimated'), formatBytes(run.estimated_bytes)] as const]),
    [t('archives.uncompressed'), written ? formatBytes(run.archived_uncompressed_bytes) : NONE],
    [t('archives.compressed'), written ? compressed : NONE],
    [t('archives.created'), time(run.created_at_ms)],
    [t('archives.started'), time(run.started_at_ms)],
    [t('archives.archivedAt'), time(run.archived_at_ms)],
    [t('archives.verifiedAt'), time(run.verified_at_ms)],
    [t('archives.deleteStarted'), time(run.delete_started_at_ms)],
    [t('archives.completed'), time(run.completed_at_ms)],
  ];
  return (
    <section aria-label={t('archives.facts')}>
      <h2>{t('archives.facts')}</h2>
      <dl className="definitions">
        <FactLines facts={facts} />
        <dt>{t('archives.id')}</dt>
        <dd>
          <span className="value mono">{run.id}</span>
          <CopyButton text={run.id} label={t('archives.id')} />
        </dd>
      </dl>
    </section>
  );
}
