import { ApiError } from '../../platform/api/errors.ts';
import type { EditOutcome } from '../../platform/gateway/list-edits.ts';
import type { Translate } from '../../platform/i18n/index.ts';
import { failureText } from '../feedback/states.tsx';

export interface Told {
  readonly tone: 'ok' | 'warn' | 'bad';
  readonly fact: string;
  readonly text: string;
}

/** What is known of a change, and what is not. */
export function outcomeText<E>(outcome: EditOutcome<E>, name: string, t: Translate): Told {
  switch (outcome.kind) {
    case 'done':
      return {
        tone: outcome.altered.length + outcome.kept.length === 0 ? 'ok' : 'warn',
        fact: t(outcome.entry === null ? 'edits.deleted' : 'edits.saved', { name }),
        text: [
          outcome.altered.length === 0 ? '' : t('edits.altered', { fields: outcome.altered.join(', ') }),
          outcome.kept.length === 0 ? '' : t('edits.kept', { fields: outcome.kept.join(', ') }),
        ]
          .filter(Boolean)
          .join(' '),
      };
    case 'same':
      return { tone: 'ok', fact: t('edits.same', { name }), text: '' };
    case 'gone':
      return { tone: 'warn', fact: t('edits.gone', { name }), text: t('edits.notWritten') };
    case 'taken':
      return { tone: 'warn', fact: t('edits.taken'), text: t('edits.notWritten') };
    case 'conflict':
      return {
        tone: 'warn',
        fact: t('edits.conflict', { name }),
        text: `${t('edits.conflictFields', { fields: outcome.members.join(', ') })} ${t('edits.notWritten')}`,
      };
    case 'unconfirmed':
      return { tone: 'bad', fact: t('edits.unconfirmed', { name }), text: t('edits.unconfirmedText') };
    case 'unknown':
      return { tone: 'bad', fact: t('edits.unknown', { name }), text: t('edits.unknownText') };
  }
}

/** A change that was not made. */
export function failureOf(error: unknown, name: string, t: Translate): Told {
  const { key, values } = failureText(error);
  const words = error instanceof ApiError && error.status === 400 ? error.message : t(key, values);
  return { tone: 'bad', fact: t('edits.notSaved', { name }), text: `${words} ${t('edits.notWritten')}` };
}
