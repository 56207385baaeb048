import { Stack } from '@mantine/core';
import { formatCount } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import type { Run } from '../wire.ts';
import { phaseWord, progressPercent, runningStage, STAGE_WORDS, unitWord } from './run-view.ts';

/** A progress bar with counts; indeterminate without a length. */
export function Progress({
  label,
  done,
  total,
  text,
}: {
  readonly label: string;
  readonly done: number;
  readonly total: number;
  readonly text: string;
}) {
  const percent = progressPercent({ current: done, total });
  return (
    <Stack gap="xs">
      <div className="row small">
        <span className="medium">{label}</span>
        <span className="spacer" />
        <span className="ink-2 nowrap">{percent === null ? text : `${percent}% · ${text}`}</span>
      </div>
      <div
        className="bar"
        // It would take its height from the column.
        style={{ flex: 'none' }}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={text}
        {...(percent === null ? {} : { 'aria-valuenow': percent })}
        data-state="running"
        data-unknown={percent === null ? '' : undefined}
      >
        {percent !== null && <i style={{ width: `${percent}%` }} />}
      </div>
    </Stack>
  );
}

/** Progress of a run's stage; for a failed one, how far it came. */
export function StageProgress({ run }: { readonly run: Run }) {
  const { t } = useText();
  const { progress } = run;
  const stage = runningStage(run);
  const stageLabel = stage === null ? null : STAGE_WORDS[stage];
  if (progress === undefined) {
    if (stageLabel === undefined || stageLabel === null) return null;
    return <Progress label={t(stageLabel)} done={0} total={0} text={t('archivePhase.waiting')} />;
  }
  const phase = phaseWord(progress.phase);
  const unit = unitWord(progress.unit);
  const counted = t('archivePhase.of', { done: formatCount(progress.current), all: formatCount(progress.total) });
  const text = progress.total <= 0 ? t('archivePhase.working') : unit === null ? counted : `${counted} ${t(unit)}`;
  return (
    <Progress
      label={phase === null ? progress.phase : t(phase)}
      done={progress.current}
      total={progress.total}
      text={text}
    />
  );
}
