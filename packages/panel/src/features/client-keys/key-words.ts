import { ApiError } from '../../platform/api/errors.ts';
import { hashPrefix, type Masker } from '../../platform/format/mask.ts';
import { maskKey } from '../../platform/format/mask-key.ts';
import { shown } from '../../platform/format/shown.ts';
import type { Translate } from '../../platform/i18n/index.ts';
import type { ClientKey } from '../../platform/queries/client-keys.ts';
import type { Word } from '../../ui/display/status.tsx';
import { failureText } from '../../ui/feedback/states.tsx';
import type { RemoveOutcome } from './key-changes.ts';
import type { KeyRow, KeyState } from './key-rows.ts';

export const STATE_WORDS = {
  active: { tone: 'okQuiet', label: 'clientKeys.active' },
  orphan: { tone: 'off', label: 'clientKeys.orphan' },
  unknown: { tone: 'unknown', label: 'clientKeys.unknown' },
} as const satisfies Record<KeyState, Word>;

/** The ends of a key, whether names are masked or not: the whole key is only copied. */
export const maskedKey = (row: KeyRow): string => (row.key === null ? '' : shown(maskKey(row.key)));

/** Name of a key: its alias, else its ends, else its hash. */
export function keyTitle(row: KeyRow, masker: Masker): string {
  return shown(masker.account(row.alias)) || maskedKey(row) || hashPrefix(row.hash);
}

/** The ends of keys that are not rows any more, or not yet. */
const keyEnds = (keys: readonly ClientKey[]): string => keys.map(({ key }) => shown(maskKey(key))).join(', ');

/** Why a key was not deleted. */
export function notDeleted(error: unknown, t: Translate): string {
  const failure = failureText(error);
  return `${t('clientKeys.notDeleted')} ${t(failure.key, failure.values)}`;
}

/** What a deletion came to. */
export function removalWords({ kind, aliasError, restored, lost }: RemoveOutcome, key: string, t: Translate) {
  const fact = {
    removed: 'clientKeys.deleted',
    gone: 'clientKeys.wasGone',
    unknown: 'clientKeys.deleteUnknown',
  } as const;
  const text = [
    kind === 'unknown' && t('clientKeys.deleteUnknownText'),
    restored.length > 0 && t('clientKeys.restored', { keys: keyEnds(restored) }),
    lost.length > 0 && t('clientKeys.lost', { keys: keyEnds(lost) }),
    kind !== 'unknown' && t(aliasError === null ? 'clientKeys.historyStays' : 'clientKeys.aliasKept'),
  ];
  const isPlain = kind !== 'unknown' && aliasError === null && restored.length + lost.length === 0;
  return { tone: isPlain ? 'ok' : 'warn', fact: t(fact[kind], { key }), text: text.filter(Boolean).join(' ') } as const;
}

/** Why a name was not stored. */
export function aliasFailure(error: unknown, t: Translate): string {
  if (error instanceof ApiError && error.code === 'api_key_alias_duplicate') return t('clientKeys.aliasTaken');
  const failure = failureText(error);
  return t(failure.key, failure.values);
}
