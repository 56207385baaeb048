import { isShowable } from '@manager/core/contract/alias-text';
import { ALIAS_MAX_CODE_POINTS } from '@manager/core/contract/constants';
import { clientKeys as english } from '../../platform/i18n/en/client-keys.ts';
import type { TextKey } from '../../platform/i18n/index.ts';
import { clientKeys as chinese } from '../../platform/i18n/zh-CN/client-keys.ts';

const sameName = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

export type AliasVerdict =
  | { readonly kind: 'fine' }
  | { readonly kind: 'problem'; readonly text: TextKey }
  /** The name belongs to a key that the gateway no longer lists: it can be taken over after a confirmation. */
  | { readonly kind: 'orphan'; readonly hash: string };

interface AliasFacts {
  /** Hash of the key to name; '' = not stored yet. */
  readonly hash: string;
  readonly aliases: ReadonlyMap<string, string>;
  /** Keys of the gateway; null = unknown. */
  readonly activeHashes: ReadonlySet<string> | null;
}

/** Checks a name before it is sent. The manager checks it again, because somebody else may take it meanwhile. */
export function checkAlias(typed: string, { hash, aliases, activeHashes }: AliasFacts): AliasVerdict {
  const alias = typed.trim();
  if (alias === '') return { kind: 'problem', text: 'clientKeys.aliasEmpty' };
  if ([...alias].length > ALIAS_MAX_CODE_POINTS) return { kind: 'problem', text: 'clientKeys.aliasLong' };
  if (!isShowable(alias)) return { kind: 'problem', text: 'clientKeys.aliasCharacters' };
  const owner = [...aliases].find(([other, name]) => other !== hash && sameName(name, alias))?.[0];
  if (owner === undefined) return { kind: 'fine' };
  // An empty or unknown list does not show whether the owner still exists.
  if (activeHashes === null || activeHashes.size === 0 || activeHashes.has(owner)) {
    return { kind: 'problem', text: 'clientKeys.aliasTaken' };
  }
  return { kind: 'orphan', hash: owner };
}

/** Name of a key whose alias passes to its successor: `Team A (old)`, with a number when that is taken too. */
export function retiredAlias(alias: string, old: string, aliases: ReadonlyMap<string, string>): string {
  const taken = new Set([...aliases.values()].map((name) => name.trim().toLowerCase()));
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? ` (${old})` : ` (${old} ${number})`;
    const name = [...alias].slice(0, ALIAS_MAX_CODE_POINTS - [...end].length).join('') + end;
    if (!taken.has(name.toLowerCase())) return name;
  }
}

/** The word for a retired key, in every language that it may have been written in. */
const OLD_WORDS = [english['clientKeys.oldWord'], chinese['clientKeys.oldWord']];
const RETIRED = new RegExp(`^(.+) \\((?:${OLD_WORDS.join('|')})(?: (\\d{1,4}))?\\)$`, 'u');

/** The name that a retired key had, and which of its keys it was; null = not retired. */
export function readRetired(alias: string): { readonly alias: string; readonly number: number } | null {
  const match = RETIRED.exec(alias.trim());
  return match?.[1] === undefined ? null : { alias: match[1], number: Number(match[2] ?? 1) };
}
