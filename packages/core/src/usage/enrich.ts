import type { JsonObject } from '../json/json.ts';
import { readText, type Spellings } from '../json/readers.ts';
import { looksLikeKey } from '../redaction/redact.ts';
import type { AccountSnapshot, AccountSnapshotTable, UsageEvent } from './event.ts';

/** What an entry of the gateway's auth-file list adds to the events of its account. */
export interface ListedAccount {
  /** '' = none. */
  readonly authIndex: string;
  readonly snapshot: AccountSnapshot;
}

/**
 * Fills the empty account and project snapshots of an event; its own values stay. The identity does not depend on snapshots, so
 * late or missing enrichment changes only labels.
 */
export function enrich(event: UsageEvent, table: AccountSnapshotTable): UsageEvent {
  if (event.auth_index === '') return event;
  if (event.account_snapshot !== '' && event.auth_project_id_snapshot !== '') return event;
  if (!Object.hasOwn(table.byAuthIndex, event.auth_index)) return event;
  const snapshot = table.byAuthIndex[event.auth_index];
  if (snapshot === undefined) return event;
  const filled = {
    account_snapshot: event.account_snapshot || snapshot.account,
    auth_label_snapshot: event.auth_label_snapshot || snapshot.label,
    auth_file_snapshot: event.auth_file_snapshot || snapshot.file,
    auth_provider_snapshot: event.auth_provider_snapshot || snapshot.provider,
    auth_project_id_snapshot: event.auth_project_id_snapshot || snapshot.projectId,
  };
  const changed =
    filled.account_snapshot !== event.account_snapshot ||
    filled.auth_label_snapshot !== event.auth_label_snapshot ||
    filled.auth_file_snapshot !== event.auth_file_snapshot ||
    filled.auth_provider_snapshot !== event.auth_provider_snapshot ||
    filled.auth_project_id_snapshot !== event.auth_project_id_snapshot;
  if (!changed) return event;
  return { ...event, ...filled, auth_snapshot_at_ms: event.auth_snapshot_at_ms ?? table.fetchedAtMs };
}

const AUTH_INDEX: Spellings = ['auth_index', 'authIndex', 'auth-index'];
const PROJECT: Spellings = ['project_id', 'projectId', 'gemini_virtual_project', 'geminiVirtualProject'];

/** Longer texts (tokens, messages of providers) name nothing, and would make a large list a large heap. */
const MAX_TEXT_LENGTH = 2048;

/** The first non-empty spelling: unlike in events, an empty member hides nothing. */
function firstText(file: JsonObject, names: Spellings): string {
  for (const name of names) {
    const text = readText(file, [name]);
    if (text !== '' && text.length <= MAX_TEXT_LENGTH) return text;
  }
  return '';
}

function snapshotOf(file: JsonObject): AccountSnapshot {
  const name = firstText(file, ['name']);
  const label = firstText(file, ['label']);
  const account = ['account', 'email']
    .map((member) => firstText(file, [member]))
    .find((text) => text !== '' && !looksLikeKey(text));
  const shownAccount = account ?? (label || name);
  return {
    account: shownAccount,
    label: firstText(file, ['label', 'name', 'email']) || shownAccount,
    file: name,
    provider: firstText(file, ['provider', 'type']),
    projectId: firstText(file, PROJECT),
  };
}

/** Reads an entry of the gateway's auth-file list. */
export function readListedAccount(entry: JsonObject): ListedAccount {
  return { authIndex: firstText(entry, AUTH_INDEX), snapshot: snapshotOf(entry) };
}

/** @param fetchedAtMs when the request for the list was started, because the facts are at least that new */
export function accountSnapshots(listed: readonly ListedAccount[], fetchedAtMs: number): AccountSnapshotTable {
  const byAuthIndex: Record<string, AccountSnapshot> = Object.create(null);
  for (const { authIndex, snapshot } of listed) if (authIndex !== '') byAuthIndex[authIndex] = snapshot;
  return { fetchedAtMs, byAuthIndex };
}
