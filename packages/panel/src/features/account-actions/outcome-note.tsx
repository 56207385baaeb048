import type { CandidateCommand } from '@manager/core/accounts/failures/states';
import type { ReactNode } from 'react';
import { ApiError } from '../../platform/api/errors.ts';
import { shown } from '../../platform/format/shown.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { failureText } from '../../ui/feedback/states.tsx';
import { countOutcomes, type Outcome } from './action-run.ts';
import { statusWord } from './candidate-view.ts';
import type { CandidateActions } from './use-candidate-actions.ts';

const DONE: Readonly<Record<CandidateCommand, { readonly fact: TextKey; readonly text: TextKey }>> = {
  ignore: { fact: 'actionDone.ignored', text: 'actionDone.ignoredText' },
  resolve: { fact: 'actionDone.resolved', text: 'actionDone.resolvedText' },
  enable: { fact: 'actionDone.enabled', text: 'actionDone.enabledText' },
  delete: { fact: 'actionDone.deleted', text: 'actionDone.deletedText' },
};

/** Outcome of the last action. */
export function OutcomeNote({ actions }: { readonly actions: CandidateActions }) {
  const { t } = useText();
  const { run, dismiss } = actions;
  if (run === null) return null;
  const { command, outcomes, total } = run;
  if (outcomes.length < total) {
    // A single one shows progress at its button.
    if (total === 1) return null;
    return <Note tone="wait" fact={t('accountActions.running', { done: outcomes.length, count: total })} />;
  }
  const close = <Button onClick={dismiss}>{t('common.close')}</Button>;
  const [only] = outcomes;
  if (total === 1 && only !== undefined) return <SingleNote outcome={only} close={close} />;
  const { done, handled, failed } = countOutcomes(outcomes);
  const [first] = failed;
  return (
    <Note
      tone={failed.length > 0 ? 'bad' : 'ok'}
      fact={t(command === 'ignore' ? 'accountActions.batchIgnored' : 'accountActions.batchResolved', { count: done })}
      action={close}
    >
      {handled > 0 && `${t('accountActions.batchHandled', { count: handled })} `}
      {first !== undefined && (
        <>
          {t('accountActions.batchFailed', { count: failed.length })} <Reason outcome={first} />
        </>
      )}
    </Note>
  );
}

function SingleNote({ outcome, close }: { readonly outcome: Outcome; readonly close: ReactNode }) {
  const { t } = useText();
  const masker = useMasker();
  const file = shown(masker.file(outcome.candidate.authFileName));
  switch (outcome.kind) {
    case 'done': {
      const { fact, text } = DONE[outcome.command];
      return (
        <Note tone="ok" fact={t(fact, { file })} action={close}>
          {t(text)}
        </Note>
      );
    }
    case 'handled': {
      const word = statusWord(outcome.candidate.status);
      const state = word === null ? outcome.candidate.status : t(word.label);
      return (
        <Note tone="warn" fact={t('accountActions.handled', { file })} action={close}>
          {t('accountActions.handledText', { state })}
        </Note>
      );
    }
    case 'gone':
      return (
        <Note tone="warn" fact={t('accountActions.handled', { file })} action={close}>
          {t('accountActions.goneText')}
        </Note>
      );
    case 'refused':
    case 'failed':
      return (
        <Note tone="bad" fact={t('accountActions.notDone', { file })} action={close}>
          <Reason outcome={outcome} />
        </Note>
      );
  }
}

/** The server's text, which is more precise than the class of the failure. */
function Reason({ outcome }: { readonly outcome: Outcome }) {
  const { t } = useText();
  const masker = useMasker();
  if (outcome.kind === 'refused') return `${t('accountActions.refusedText')} ${shown(masker.text(outcome.message))}`;
  if (outcome.kind !== 'failed') return null;
  const { error } = outcome;
  const failure = failureText(error);
  const words = error instanceof ApiError && error.kind === 'status' ? shown(masker.text(error.message)) : '';
  return words === '' ? t(failure.key, failure.values) : `${t('accountActions.reports')} ${words}`;
}
