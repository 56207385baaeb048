import type { ReactNode } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Marked } from '../../ui/display/marked.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { failureText, technicalLine } from '../../ui/feedback/states.tsx';
import { BlockerText, OpenRun } from './blocker-text.tsx';
import { coveragesOf } from './gates.ts';
import { refusalOf } from './refusal.ts';
import type { WorkProblem } from './runs/use-run-work.ts';
import type { Maintenance } from './wire.ts';

/** A server's refusal in the panel's words: cause, solution, and what it waits for. */
export function RefusalNote({
  error,
  maintenance,
  action,
}: {
  readonly error: unknown;
  readonly maintenance: Maintenance;
  readonly action?: ReactNode;
}) {
  const { t } = useText();
  const zone = useTimeZone();
  const refusal = refusalOf(error);
  if (refusal === null) {
    const failure = failureText(error);
    return (
      <Note tone="bad" fact={t('archiveRefusal.failed')} action={action}>
        {t(failure.key, failure.values)} <span className="mono tiny ink-3">{technicalLine(error, zone)}</span>
      </Note>
    );
  }
  const lagging = refusal.reaction === 'coverage' ? coveragesOf(maintenance).filter(({ complete }) => !complete) : [];
  const holder = maintenance.active_lock?.run_id ?? maintenance.active_run?.id;
  return (
    <Note tone={refusal.tone} fact={t(refusal.fact)} action={action}>
      <Marked text={t(refusal.text)} />
      {refusal.reaction === 'watch' && holder !== undefined && (
        <>
          {' '}
          <OpenRun id={holder} />
        </>
      )}
      {lagging.length > 0 && <BlockerText blocker={{ kind: 'coverage', lagging }} />}
    </Note>
  );
}

/** A request that was refused, or whose answer was lost. */
export function ProblemNote({
  problem,
  maintenance,
  onForget,
}: {
  readonly problem: WorkProblem;
  readonly maintenance: Maintenance;
  readonly onForget: () => void;
}) {
  const { t } = useText();
  const clear = <Button onClick={onForget}>{t('archives.understood')}</Button>;
  if (problem.lost) {
    return (
      <Note tone="wait" fact={t('archives.lost')} action={clear}>
        {t('archives.lostText')}
      </Note>
    );
  }
  return <RefusalNote error={problem.error} maintenance={maintenance} action={clear} />;
}
