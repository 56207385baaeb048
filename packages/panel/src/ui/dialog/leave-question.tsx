import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { useText } from '../../platform/i18n/index.ts';
import { ConfirmDialog } from './dialog.tsx';

interface LeaveQuestion {
  /** The dialog; the form must render it. */
  readonly question: ReactNode;
  /** Continues at once, or after the person has discarded the input. For actions that close the form on its own page. */
  readonly leave: (then: () => void) => void;
  /** Input may be discarded: it is stored, or given up. Holds until something is typed again. */
  readonly letGo: () => void;
}

interface Place {
  readonly pathname: string;
  readonly search: UrlSearch;
}

/** Whether a form bound to these address parameters is shown at both locations. */
export function keepsForm(now: Place, next: Place, parameters: readonly string[]): boolean {
  return (
    now.pathname === next.pathname &&
    parameters.every((name) => JSON.stringify(now.search[name]) === JSON.stringify(next.search[name]))
  );
}

const NO_PARAMETERS: readonly string[] = [];

/**
 * Asks before unsaved input is lost: by a link, by Back, by closing the page. `dirty` = something typed is not stored;
 * `parameters` are those of the address that select the form's subject: the form closes when they change.
 */
export function useLeaveQuestion(dirty: boolean, parameters = NO_PARAMETERS): LeaveQuestion {
  const { t } = useText();
  const free = useRef(!dirty);
  const [waiting, setWaiting] = useState<(() => void) | null>(null);
  useLayoutEffect(() => {
    free.current = !dirty;
    // A form that closed, as after a sign-out, asks nothing; the navigation to the sign-in starts in the same commit.
    return () => {
      free.current = true;
    };
  }, [dirty]);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      !free.current && !keepsForm(current as unknown as Place, next as unknown as Place, parameters),
    enableBeforeUnload: () => !free.current,
    disabled: !dirty,
    withResolver: true,
  });
  const blocked = blocker.status === 'blocked';
  const question = (
    <ConfirmDialog
      opened={blocked || waiting !== null}
      onClose={() => {
        setWaiting(null);
        blocker.reset?.();
      }}
      title={t('leave.title')}
      confirmLabel={t('leave.discard')}
      danger
      onConfirm={() => {
        free.current = true;
        waiting?.();
        blocker.proceed?.();
      }}
    >
      {t('leave.text')}
    </ConfirmDialog>
  );
  return {
    question,
    leave: (then) => {
      if (free.current) then();
      else setWaiting(() => then);
    },
    letGo: () => {
      free.current = true;
    },
  };
}
