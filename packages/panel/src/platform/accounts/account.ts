import { authFileEntries, type ListedAccount, readListedAccount } from '@manager/core/accounts/listed-account';
import { scopeWithin } from '@manager/core/accounts/status-scope';
import { isJsonObject, type JsonObject } from '@manager/core/json/json';
import { sha256HexSync } from '../sha256.ts';
import { sortRows } from '../sort.ts';

/** One account of the gateway's list, with what the panel shows of it. '' and null = missing in the entry. */
export interface Account {
  /** Unique in the list; safe in an address, because it contains no name. */
  readonly key: string;
  readonly listed: ListedAccount;
  /** The entry as listed. */
  readonly entry: JsonObject;
  /** Name: the account, else its label, else the file. */
  readonly name: string;
  readonly note: string;
  readonly prefix: string;
  readonly project: string;
  readonly priority: number | null;
  readonly weight: number | null;
  readonly runtimeOnly: boolean;
  /** The gateway itself does not use it at the moment. */
  readonly unavailable: boolean;
  readonly statusMessage: string;
  readonly createdAtMs: number | null;
  readonly updatedAtMs: number | null;
  readonly lastRefreshMs: number | null;
  readonly nextRetryMs: number | null;
  readonly subscriptionUntilMs: number | null;
  /** Accounts in its file, itself included. */
  readonly fileSize: number;
  /** What enabling or disabling it affects; null = it cannot be changed alone. */
  readonly switchScope: 'credential' | 'source-file' | null;
  /** Lower case text for the search. */
  readonly haystack: string;
}

/** Reads the list of auth files in every form that gateways send. */
export function readAccounts(answer: unknown): readonly Account[] {
  const entries = authFileEntries(answer).flatMap((entry) => {
    const account = readListedAccount(entry);
    return account === null || !isJsonObject(entry) ? [] : [{ entry, credential: account }];
  });
  const files = new Map<string, ListedAccount[]>();
  const indices = new Map<string, number>();
  for (const { credential: account } of entries) {
    const members = files.get(account.name);
    if (members === undefined) files.set(account.name, [account]);
    else members.push(account);
    if (account.authIndex !== '') indices.set(account.authIndex, (indices.get(account.authIndex) ?? 0) + 1);
  }
  const taken = new Set<string>();
  return entries.flatMap(({ entry, credential: account }) => {
    const isUnique = account.authIndex !== '' && indices.get(account.authIndex) === 1;
    const key = isUnique ? account.authIndex : keyOfNames(account);
    // The same row twice is one account.
    if (taken.has(key)) return [];
    taken.add(key);
    return accountOf(key, account, entry, files.get(account.name) ?? [account]);
  });
}

/** One file name under two providers is two accounts, so a request that names no provider would be refused as a whole. */
export const hasHistory = ({ listed }: Account): boolean => listed.provider !== '';

/** Names often are e-mail addresses, which must not appear in an address bar. */
function keyOfNames({ name, runtimeId, authIndex, provider }: ListedAccount): string {
  return `h:${sha256HexSync(JSON.stringify([name, runtimeId, authIndex, provider])).slice(0, 16)}`;
}

function accountOf(key: string, account: ListedAccount, entry: JsonObject, members: readonly ListedAccount[]): Account {
  const scope = scopeWithin(account, members);
  const note = text(entry, 'note');
  const prefix = text(entry, 'prefix');
  const project = text(entry, 'project_id', 'projectId');
  const claims = isJsonObject(entry.id_token) ? entry.id_token : {};
  const name = account.accountSnapshot || account.label || account.name;
  return {
    key,
    listed: account,
    entry,
    name,
    note,
    prefix,
    project,
    priority: integer(entry.priority),
    weight: integer(entry.weight),
    runtimeOnly: entry.runtime_only === true || entry.runtimeOnly === true,
    unavailable: entry.unavailable === true,
    statusMessage: text(entry, 'status_message', 'statusMessage'),
    createdAtMs: instant(entry.created_at ?? entry.createdAt),
    updatedAtMs: instant(entry.updated_at ?? entry.updatedAt ?? entry.modtime),
    lastRefreshMs: instant(entry.last_refresh ?? entry.lastRefresh),
    nextRetryMs: instant(entry.next_retry_after ?? entry.nextRetryAfter),
    subscriptionUntilMs: instant(claims.chatgpt_subscription_active_until),
    fileSize: members.length,
    switchScope: scope === 'ambiguous' ? null : scope,
    haystack: [
      name,
      account.name,
      account.label,
      text(entry, 'email'),
      note,
      prefix,
      project,
      account.provider,
      account.authIndex,
      ...account.accountIds,
    ]
      .join('\n')
      .toLowerCase(),
  };
}

function text(entry: JsonObject, ...names: readonly string[]): string {
  for (const name of names) {
    const value = entry[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return '';
}

function integer(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) ? value : null;
}

/** Times are text, or seconds. */
function instant(value: unknown): number | null {
  if (typeof value === 'number') return value > 0 ? (value > 1e12 ? value : value * 1000) : null;
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) || ms <= 0 ? null : ms;
}

/** All accounts of a file that contains the given one. */
export function membersOf(accounts: readonly Account[], file: string): readonly Account[] {
  return accounts.filter(({ listed: account }) => account.name === file);
}

/** Accounts by name, the initial order of lists. */
export function byName(accounts: readonly Account[]): readonly Account[] {
  return sortRows(accounts, ({ name }) => name, 'asc');
}
