import { Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TextKey } from '../../../platform/i18n/index.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { BlockerText } from '../blocker-text.tsx';
import { type Blocker, blockersOf } from '../gates.ts';
import type { Command, Maintenance, Run, Stage } from '../wire.ts';
import { runActions } from './run-actions.ts';

/** A requested action on a run. */
export interface Wish {
  readonly run: Run;
  readonly command: Command;
  /** The stage that `resume` starts or continues. */
  readonly stage: Stage | null;
}

export interface RunCommands {
  /** A request is in progress. */
  readonly busy: boolean;
  readonly unwatched: string;
  readonly onWatch: (unwatched: string) => void;
  readonly onWish: (wish: Wish) => void;
}

const CONTINUE_LABELS: Readonly<Record<Stage, TextKey>> = {
  archiving: 'archives.resumeArchiving',
  verifying: 'archives.resumeVerifying',
  deleting: 'archives.resumeDeleting',
};

/** Actions of the run; a blocked one shows what it waits for instead of its button. */
export function RunFoot({
  run,
  maintenance,
  commands,
}: {
  readonly run: Run;
  readonly maintenance: Maintenance;
  readonly commands: RunCommands;
}) {
  const { t } = useText();
  const { busy, unwatched, onWatch, onWish } = commands;
  const actions = runActions(run);
  const blockers = blockersOf(run, actions, maintenance);
  const { resume, verify, cancel, hold, watch } = actions;
  if (resume === null && verify === null && !actions.delete && !cancel && !hold && !watch) return null;
  const reasons = differing([blockers.resume, blockers.verify, blockers.delete]);
  const wish = (command: Command, stage: Stage | null = null) => onWish({ run, command, stage });
  const button = (blocker: Blocker | null, children: ReactNode, onClick: () => void, kind?: 'primary' | 'danger') =>
    // While another run is active the button stays, because that ends automatically.
    blocker !== null && blocker.kind !== 'locked' ? null : (
      <Button kind={kind ?? 'default'} disabled={busy || blocker !== null} aria-busy={busy} onClick={onClick}>
        {children}
      </Button>
    );
  return (
    <Stack gap="sm" className="drawer-foot">
      {reasons.map((blocker) => (
        <BlockerText key={blocker.kind} blocker={blocker} />
      ))}
      <Group>
        {resume !== null &&
          button(
            blockers.resume,
            t(resume.kind === 'start' ? 'archives.startArchiving' : CONTINUE_LABELS[resume.stage]),
            () => wish('resume', resume.stage),
            'primary',
          )}
        {verify !== null &&
          button(
            blockers.verify,
            t(verify === 'first' ? 'archives.verify' : 'archives.verifyAgain'),
            () => wish('verify'),
            verify === 'first' ? 'primary' : undefined,
          )}
        {actions.delete && button(blockers.delete, t('archives.delete'), () => wish('delete'), 'danger')}
        {watch &&
          (unwatched === run.id ? (
            <Button onClick={() => onWatch('')}>{t('archives.watch')}</Button>
          ) : (
            <Button onClick={() => onWatch(run.id)}>{t('archives.stopWatching')}</Button>
          ))}
        {hold && (
          <Button disabled={busy} onClick={() => wish('hold')}>
            {t('archives.hold')}
          </Button>
        )}
        {cancel && (
          <Button kind="quiet" disabled={busy} onClick={() => wish('cancel')}>
            {t('archives.cancelRun')}
          </Button>
        )}
      </Group>
      {watch && unwatched === run.id && (
        <p className="small ink-3" role="status">
          {t('archives.unwatched')}
        </p>
      )}
    </Stack>
  );
}

/** One line for each kind of reason. */
function differing(blockers: readonly (Blocker | null)[]): readonly Blocker[] {
  return blockers.filter(
    (blocker, index): blocker is Blocker =>
      blocker !== null && blockers.findIndex((other) => other?.kind === blocker.kind) === index,
  );
}
