import { type AccountIdentity, matchesIdentity } from './identity.ts';
import type { ListedAccount } from './listed-account.ts';

/** Why no target was found; then nothing changes. */
export type TargetRefusal = 'not_found' | 'identity_mismatch' | 'ambiguous';

/** What a status change would affect. */
export interface StatusTarget {
  /** `source-file`: every account of the file changes. */
  readonly scope: 'credential' | 'source-file';
  /** The selector to send to the gateway. */
  readonly selector: string;
  readonly listed: ListedAccount;
  readonly affected: readonly ListedAccount[];
}

export type Resolved<Target> =
  | { readonly found: true; readonly target: Target }
  | { readonly found: false; readonly refusal: TargetRefusal };

export interface StatusQuestion {
  /** File name or runtime id. */
  readonly selector: string;
  /** '' = any. */
  readonly authIndex: string;
  /** The expected account; null = any. */
  readonly identity: AccountIdentity | null;
}

/**
 * Finds the one account whose status is to change. A runtime id wins over a file name and never falls back to one.
 *
 * @param entries the live list, with every account of the file
 */
export function resolveStatusTarget(
  entries: readonly ListedAccount[],
  question: StatusQuestion,
): Resolved<StatusTarget> {
  const { identity } = question;
  const first = resolveSelector(entries, question.selector, question.authIndex);
  if (identity === null) return first;
  if (first.found) return matchesIdentity(first.target.listed, identity) ? first : refused('identity_mismatch');
  if (first.refusal === 'identity_mismatch') return first;

  const matching = candidatesOf(entries, question.selector, question.authIndex).filter((entry) =>
    matchesIdentity(entry, identity),
  );
  const [only] = matching;
  if (only === undefined) return refused('identity_mismatch');
  if (matching.length > 1 || only.runtimeId === '') return refused('ambiguous');
  const second = resolveSelector(entries, only.runtimeId, question.authIndex);
  return second.found && !matchesIdentity(second.target.listed, identity) ? refused('identity_mismatch') : second;
}

function resolveSelector(
  entries: readonly ListedAccount[],
  selector: string,
  authIndex: string,
): Resolved<StatusTarget> {
  const candidates = candidatesOf(entries, selector, authIndex);
  const [account] = candidates;
  if (account === undefined) return refused('not_found');
  if (candidates.length > 1) return refused('ambiguous');

  const siblings = entries.filter((entry) => entry.name === account.name);
  switch (scopeWithin(account, siblings)) {
    case 'credential':
      return found({ scope: 'credential', selector: account.runtimeId, listed: account, affected: [account] });
    case 'source-file':
      return found({ scope: 'source-file', selector: account.name, listed: account, affected: siblings });
    case 'ambiguous':
      return refused('ambiguous');
  }
}

/** When a runtime id is the selector, names do not count, even if the index differs. */
function candidatesOf(
  entries: readonly ListedAccount[],
  selector: string,
  authIndex: string,
): readonly ListedAccount[] {
  const byId = entries.filter((entry) => entry.runtimeId !== '' && entry.runtimeId === selector);
  const named = byId.length > 0 ? byId : entries.filter((entry) => entry.name === selector);
  return authIndex === '' ? named : named.filter((entry) => entry.authIndex === authIndex);
}

/**
 * What a change of one account affects. A source row stands for its whole file; the rows expanded from it cannot be
 * changed alone.
 *
 * @param siblings every account of the same physical file, itself included
 */
export function scopeWithin(
  account: ListedAccount,
  siblings: readonly ListedAccount[],
): 'credential' | 'source-file' | 'ambiguous' {
  if (account.runtimeId === '') return 'ambiguous';
  if (siblings.filter((sibling) => sibling.runtimeId === account.runtimeId).length > 1) return 'ambiguous';
  const sources = siblings.filter(isSourceRow);
  if (siblings.length === 1 || sources.length === 0) return 'credential';
  return sources.length === 1 && sources[0] === account ? 'source-file' : 'ambiguous';
}

/** The row of the physical file itself. */
export function isSourceRow(account: ListedAccount): boolean {
  return account.runtimeId !== '' && account.runtimeId === account.name;
}

/** A verified physical file. */
export interface FileTarget {
  /** Physical file name. */
  readonly fileName: string;
  /** The selector for the whole file at the gateway. */
  readonly selector: string;
  readonly members: readonly ListedAccount[];
  readonly sourceRow: ListedAccount | null;
}

/**
 * Verifies a physical file before it is changed or deleted as a whole: its accounts and the expected identities must
 * match one to one, all must have distinct runtime ids, and the name must not be another file's runtime id.
 */
export function resolveFileTarget(
  entries: readonly ListedAccount[],
  fileName: string,
  expected: readonly AccountIdentity[],
): Resolved<FileTarget> {
  const members = entries.filter((entry) => entry.name === fileName);
  const [only] = members;
  if (only === undefined) return refused('not_found');
  if (hasCollision(entries, fileName)) return refused('ambiguous');
  const ids = new Set(members.map((member) => member.runtimeId));
  if (ids.has('') || ids.size !== members.length) return refused('ambiguous');
  if (!matchOneToOne(members, expected, matchesIdentity)) return refused('identity_mismatch');
  return found({
    fileName,
    selector: members.length > 1 ? fileName : only.runtimeId,
    members,
    sourceRow: members.find(isSourceRow) ?? null,
  });
}

/** A single account may be deleted only when its file holds no other. */
export function resolveSingleDelete(
  entries: readonly ListedAccount[],
  identity: AccountIdentity,
): Resolved<FileTarget> {
  const members = entries.filter((entry) => entry.name === identity.authFileName);
  if (members.length > 1) return refused('ambiguous');
  return resolveFileTarget(entries, identity.authFileName, [identity]);
}

/** The gateway would read the name as the id of that other account. */
function hasCollision(entries: readonly ListedAccount[], fileName: string): boolean {
  return entries.some((entry) => entry.runtimeId === fileName && entry.name !== fileName);
}

export function matchOneToOne<Item>(
  accounts: readonly ListedAccount[],
  records: readonly Item[],
  matches: (account: ListedAccount, record: Item) => boolean,
): boolean {
  if (accounts.length !== records.length) return false;
  const isMatchedOnce = accounts.every((account) => records.filter((r) => matches(account, r)).length === 1);
  return isMatchedOnce && records.every((record) => accounts.filter((c) => matches(c, record)).length === 1);
}

const PLUGIN_VIRTUAL = 'plugin virtual auth cannot be modified directly; edit or delete the source auth file';

/**
 * Whether the gateway refused because a plugin expands the account: then the whole file may be tried once. The text is
 * the only sign of it.
 *
 * @param error of the JSON answer
 */
export function isPluginVirtualConflict(statusCode: number, error: string): boolean {
  return statusCode === 409 && error === PLUGIN_VIRTUAL;
}

function found<Target>(target: Target): Resolved<Target> {
  return { found: true, target };
}

function refused(refusal: TargetRefusal): { readonly found: false; readonly refusal: TargetRefusal } {
  return { found: false, refusal };
}
