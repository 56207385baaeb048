import { ApiError } from '../../platform/api/errors.ts';
import type { EditOutcome } from '../../platform/gateway/list-edits.ts';
import type { Translate } from '../../platform/i18n/index.ts';
import { failureText } from '../../ui/feedback/states.tsx';
import type { Entry } from './model/entry.ts';

export interface Told {
  readonly tone: 'ok' | 'warn' | 'bad';
  readonly fact: string;
  readonly text: string;
}

/** What is known of a change, and what is not. */
export function outcomeText(outcome: EditOutcome<Entry>, name: string, t: Translate): Told {
  switch (outcome.kind) {
    case 'done':
      return {
        tone: outcome.altered.length === 0 ? 'ok' : 'warn',
        fact: t(outcome.entry === null ? 'providers.deleted' : 'providers.saved', { name }),
        text: outcome.altered.length === 0 ? '' : t('providers.altered', { fields: outcome.altered.join(', ') }),
      };
    case 'same':
      return { tone: 'ok', fact: t('providers.same', { name }), text: '' };
    case 'gone':
      return { tone: 'warn', fact: t('providers.gone', { name }), text: t('providers.notWritten') };
    case 'taken':
      return { tone: 'warn', fact: t('providers.keyTaken'), text: t('providers.notWritten') };
    case 'conflict':
      return {
        tone: 'warn',
        fact: t('providers.conflict', { name }),
        text: `${t('providers.conflictFields', { fields: outcome.members.join(', ') })} ${t('providers.notWritten')}`,
      };
    case 'unconfirmed':
      return { tone: 'bad', fact: t('providers.unconfirmed', { name }), text: t('providers.unconfirmedText') };
    case 'unknown':
      return { tone: 'bad', fact: t('providers.unknown', { name }), text: t('providers.unknownText') };
  }
}

/** A change that was not made. */
export function failureOf(error: unknown, name: string, t: Translate): Told {
  const { key, values } = failureText(error);
  const words = error instanceof ApiError && error.status === 400 ? error.message : t(key, values);
  return { tone: 'bad', fact: t('providers.notSaved', { name }), text: `${words} ${t('providers.notWritten')}` };
}
