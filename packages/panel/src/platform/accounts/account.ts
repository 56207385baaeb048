import { authFileEntries, type Credential, readCredential } from '@manager/core/accounts/credential';
import { scopeWithin } from '@manager/core/accounts/status-scope';
import { isJsonObject, type JsonObject } from '@manager/core/json/json';
import { sha256HexSync } from '../sha256.ts';
import { sortRows } from '../sort.ts';

/** One account of the gateway's list, with what the panel shows of it. '' and null = missing in the entry. */
export interface Account {
  /** Unique in the list; safe in an address, because it contains no name. */
  readonly key: string;
  readonly credential: Credential;
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
    const credential = readCredential(entry);
    return credential === null || !isJsonObject(entry) ? [] : [{ entry, credential }];
  });
  const files = new Map<string, Credential[]>();
  const indices = new Map<string, number>();
  for (const { credential } of entries) {
    const members = files.get(credential.name);
    if (members === undefined) files.set(credential.name, [credential]);
    else members.push(credential);
    if (credential.authIndex !== '') indices.set(credential.authIndex, (indices.get(credential.authIndex) ?? 0) + 1);
  }
  const taken = new Set<string>();
  return entries.flatMap(({ entry, credential }) => {
    const isUnique = credential.authIndex !== '' && indices.get(credential.authIndex) === 1;
    const key = isUnique ? credential.authIndex : keyOfNames(credential);
    // The same row twice is one account.
    if (taken.has(key)) return [];
    taken.add(key);
    return accountOf(key, credential, entry, files.get(credential.name) ?? [credential]);
  });
}

/** Names often are e-mail addresses, which must not appear in an address bar. */
function keyOfNames({ name, runtimeId, authIndex, provider }: Credential): string {
  return `h:${sha256HexSync(JSON.stringify([name, runtimeId, authIndex, provider])).slice(0, 16)}`;
}

function accountOf(key: string, credential: Credential, entry: JsonObject, members: readonly Credential[]): Account {
  const scope = scopeWithin(credential, members);
  const note = text(entry, 'note');
  const prefix = text(entry, 'prefix');
  const project = text(entry, 'project_id', 'projectId');
  const claims = isJsonObject(entry.id_token) ? entry.id_token : {};
  const name = credential.accountSnapshot || credential.label || credential.name;
  return {
    key,
    credential,
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
      credential.name,
      credential.label,
      text(entry, 'email'),
      note,
      prefix,
      project,
      credential.provider,
      credential.authIndex,
      ...credential.accountIds,
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
  return accounts.filter(({ credential }) => credential.name === file);
}

/** Accounts by name, the initial order of lists. */
export function byName(accounts: readonly Account[]): readonly Account[] {
  return sortRows(accounts, ({ name }) => name, 'asc');
}
