import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { useText } from '../../platform/i18n/index.ts';
import { ConfirmDialog } from './dialog.tsx';

interface LeaveQuestion {
  /** The dialog; the form has to hold it. */
  readonly question: ReactNode;
  /** Goes on at once, or when the person has given up what was typed. For what closes the form on its own page. */
  readonly leave: (then: () => void) => void;
  /** What was typed may go: it is stored, or given up. Holds until something is typed anew. */
  readonly letGo: () => void;
}

interface Place {
  readonly pathname: string;
  readonly search: UrlSearch;
}

/** Whether a form that hangs on these parameters of the address stands at both places. */
export function staysAt(now: Place, next: Place, parameters: readonly string[]): boolean {
  return (
    now.pathname === next.pathname &&
    parameters.every((name) => JSON.stringify(now.search[name]) === JSON.stringify(next.search[name]))
  );
}

const NO_PARAMETERS: readonly string[] = [];

/**
 * Asks before what was typed is lost: by a link, by Back, by the end of the page.
 *
 * @param dirty something typed is not stored
 * @param parameters those of the address that choose what the form is about: with another value it is gone
 */
export function useLeaveQuestion(dirty: boolean, parameters = NO_PARAMETERS): LeaveQuestion {
  const { t } = useText();
  const free = useRef(!dirty);
  const [waiting, setWaiting] = useState<(() => void) | null>(null);
  useLayoutEffect(() => {
    free.current = !dirty;
    // A form that has gone, as after a sign-out, holds nobody back; the way to the sign-in begins in the same commit.
    return () => {
      free.current = true;
    };
  }, [dirty]);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      !free.current && !staysAt(current as unknown as Place, next as unknown as Place, parameters),
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
