import { Group, Stack } from '@mantine/core';
import { useServices } from '../../../platform/api/services.ts';
import { useNow } from '../../../platform/browser/clock.ts';
import { formatCount } from '../../../platform/format/format.ts';
import { shown } from '../../../platform/format/shown.ts';
import { dateAndTime } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { useSpan } from '../../../ui/feedback/states.tsx';
import { OpenRun } from '../blocker-text.tsx';
import { OnlineCompaction } from '../storage/online-compaction.tsx';
import { busyRunId } from '../use-archives.ts';
import type { Maintenance, Run } from '../wire.ts';
import { STAGE_WORDS, statusExplanation, statusWord } from './run-view.ts';
import { StageProgress } from './stage-progress.tsx';
import { StepLine } from './step-line.tsx';

export interface Watching {
  /** An active run that is no longer polled often; '' = none. */
  readonly unwatched: string;
  readonly onWatch: (unwatched: string) => void;
}

/**
 * The run that blocks others, else the one whose space is returned or that waits for the next step; its active stage, who holds the lock
 * and since when.
 */
export function CurrentRun({ maintenance, unwatched, onWatch }: { readonly maintenance: Maintenance } & Watching) {
  const { t } = useText();
  const { active_run, active_lock: lock, compacting_run, waiting_run } = maintenance;
  const run = active_run ?? (lock === undefined ? (compacting_run ?? waiting_run) : undefined);
  const busy = busyRunId(maintenance);
  const id = run?.id ?? lock?.run_id;
  const word = run === undefined ? null : statusWord(run);
  return (
    <section className="panel" aria-label={t('archives.current')}>
      <div className="panel-head">
        <h2>{t('archives.current')}</h2>
        <span className="spacer" />
        {run !== undefined && (
          <Status tone={word?.tone ?? 'unknown'} pill>
            {word === null ? shown(run.status) : t(word.label)}
          </Status>
        )}
      </div>
      <Stack className="panel-body">
        {id === undefined ? (
          <p className="ink-2">{t('archives.noCurrent')}</p>
        ) : (
          <>
            {run !== undefined && <RunLine run={run} />}
            {run !== undefined && <StepLine run={run} />}
            {run !== undefined && run === compacting_run && <OnlineCompaction maintenance={maintenance} />}
            {run !== undefined && busy === run.id && <StageProgress run={run} />}
            {lock !== undefined && <LockLine lock={lock} />}
            <Group>
              <OpenRun id={id} />
              <span className="spacer" />
              {busy !== null &&
                (unwatched === busy ? (
                  <Button onClick={() => onWatch('')}>{t('archives.watch')}</Button>
                ) : (
                  <Button kind="quiet" onClick={() => onWatch(busy)}>
                    {t('archives.stopWatching')}
                  </Button>
                ))}
            </Group>
            {busy !== null && unwatched === busy && (
              <p className="small ink-3" role="status">
                {t('archives.unwatched')}
              </p>
            )}
          </>
        )}
      </Stack>
    </section>
  );
}

function RunLine({ run }: { readonly run: Run }) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const situation = statusExplanation(run);
  return (
    <div>
      <p>
        {t('archives.runLine', {
          events: formatCount(run.event_count),
          cutoff: dateAndTime(run.cutoff_timestamp_ms, zone, locale, true),
        })}
      </p>
      {situation !== null && <p className="ink-2">{t(situation)}</p>}
    </div>
  );
}

function LockLine({ lock }: { readonly lock: NonNullable<Maintenance['active_lock']> }) {
  const { t } = useText();
  const span = useSpan();
  const { client } = useServices();
  // One tick a second for the age.
  useNow();
  const stage = STAGE_WORDS[lock.operation];
  return (
    <p className="small ink-3">
      {t('archives.lock', {
        stage: stage === undefined ? lock.operation : t(stage),
        run: lock.run_id.slice(0, 8),
        span: span(client.now() - lock.acquired_at_ms),
      })}
    </p>
  );
}
