import { isJsonObject, type JsonObject } from '../json/json.ts';
import { trimText } from '../json/text.ts';
import { looksLikeKey } from '../redaction/redact.ts';
import { normalizedProvider } from '../usage/account-key.ts';
import { idTokenClaims } from './id-token.ts';
import { type AccountParts, directSnapshot } from './identity.ts';

/** One account of the gateway's list. '' = missing. */
export interface ListedAccount extends AccountParts {
  readonly disabled: boolean;
  /** The entry's own flag; null = missing. The status words follow a change with a delay. */
  readonly flag: boolean | null;
  /** Display only, never an identity. */
  readonly label: string;
  /** The gateway's own words. */
  readonly status: string;
  readonly state: string;
  /** Time of the last new token; null = unknown. */
  readonly lastRefreshMs: number | null;
  /** Lower case, `-` instead of `_`. */
  readonly planType: string;
  /** Sent along with every request to the Codex provider. */
  readonly codexAccountId: string;
  readonly xai: XaiCredential;
}

/** Decides where and how an xAI account is probed. */
export interface XaiCredential {
  readonly userId: string;
  /** Whether requests go to the official API instead of the one of the CLI. */
  readonly usingApi: boolean;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

const NO_XAI: XaiCredential = { userId: '', usingApi: false, baseUrl: '' };

/** Members that may hold the list, in order. */
export const AUTH_FILE_LIST_KEYS = ['auth_files', 'authFiles', 'files', 'items', 'data'] as const;

const NAME_KEYS = ['name', 'file_name', 'fileName'];
const NAME_OR_ID_KEYS = [...NAME_KEYS, 'id'];
const PROVIDER_KEYS = ['provider', 'type'];
const HOLDER_KEYS = ['metadata', 'attributes'];
const INDEX_KEYS = ['auth_index', 'authIndex', 'auth-index'];
const SNAPSHOT_KEYS = ['account', 'email', 'display_account', 'displayAccount'];
const CHATGPT_ID_KEYS = ['chatgpt_account_id', 'chatgptAccountId'];
const PLAIN_ID_KEYS = ['account_id', 'accountId'];
const ACCOUNT_ID_KEYS = [
  ...PLAIN_ID_KEYS,
  ...CHATGPT_ID_KEYS,
  'project_id',
  'projectId',
  'gemini_virtual_project',
  'geminiVirtualProject',
  'sub',
];
const ID_TOKEN_KEYS = ['id_token', 'idToken'];
const ACCOUNT_HOLDER_KEYS = [...ID_TOKEN_KEYS, ...HOLDER_KEYS];
const OFF_WORDS = ['disabled', 'inactive'];
const PLAN_KEYS = ['plan_type', 'planType'];
/** Names of the plan inside a signed token. */
const TOKEN_PLAN_KEYS = [...PLAN_KEYS, 'chatgpt_plan_type', 'chatgptPlanType'];
const REFRESH_KEYS = ['last_refresh', 'lastRefresh'];
const XAI_USER_KEYS = ['sub', 'subject', 'user_id', 'userId'];

/** The entries of a whole answer: a list, an object that holds one, or one bare entry. */
export function authFileEntries(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer;
  if (!isJsonObject(answer)) return [];
  for (const key of AUTH_FILE_LIST_KEYS) {
    const list = answer[key];
    if (Array.isArray(list)) return list;
  }
  return isBareAuthFile(answer) ? [answer] : [];
}

/** Whether an answer is one of auth files at all, if only an empty one. */
export function isAuthFileAnswer(answer: unknown): boolean {
  if (Array.isArray(answer) || isBareAuthFile(answer)) return true;
  const isList = (list: unknown): boolean => Array.isArray(list) || list === null;
  return isJsonObject(answer) && AUTH_FILE_LIST_KEYS.some((key) => isList(answer[key]));
}

/** Some gateways answer a look-up with the one entry itself. */
export function isBareAuthFile(answer: unknown): boolean {
  return isJsonObject(answer) && NAME_KEYS.some((key) => key in answer);
}

/** Reads one entry; null when it is no object or has no name. */
export function readListedAccount(entry: unknown): ListedAccount | null {
  if (!isJsonObject(entry)) return null;
  const name = textAt(entry, NAME_OR_ID_KEYS);
  if (name === '') return null;
  const inner = objectsAt(entry, HOLDER_KEYS);
  const holders = [entry, ...inner];
  // Signed tokens are decoded once: lists hold thousands of them.
  const ownClaims = claimsIn([entry]);
  const innerClaims = claimsIn(inner);
  const provider = normalizedProvider(textAt(entry, PROVIDER_KEYS));
  return {
    runtimeId: textOf(entry.id),
    name,
    authIndex: textAt(entry, INDEX_KEYS),
    provider,
    accountSnapshot: directSnapshot(accountName(entry), name),
    accountIds: accountIds(entry),
    disabled: isDisabled(entry),
    flag: flagOf(entry),
    label: textOf(entry.label),
    status: textOf(entry.status),
    state: textOf(entry.state),
    lastRefreshMs: instantAt(entry, REFRESH_KEYS),
    planType: normalizedPlan(
      textAt(entry, PLAN_KEYS) ||
        firstText(ownClaims, TOKEN_PLAN_KEYS) ||
        firstText(inner, PLAN_KEYS) ||
        firstText(innerClaims, TOKEN_PLAN_KEYS),
    ),
    codexAccountId: codexAccountId([...holders, ...ownClaims, ...innerClaims]),
    xai: provider === '' || provider === 'xai' ? readXai(holders) : NO_XAI,
  };
}

/** Some accounts are keys, and are listed as their own account name; events do not contain those either. */
function accountName(entry: JsonObject): string {
  for (const key of SNAPSHOT_KEYS) {
    const name = textOf(entry[key]);
    if (name !== '' && !looksLikeKey(name)) return name;
  }
  return '';
}

function accountIds(entry: JsonObject): string[] {
  const ids: string[] = [];
  addIds(ids, entry);
  const inner = objectsAt(entry, ACCOUNT_HOLDER_KEYS);
  for (const holder of inner) addIds(ids, holder);
  for (const holder of inner) for (const nested of objectsAt(holder, ID_TOKEN_KEYS)) addIds(ids, nested);
  return ids;
}

function addIds(ids: string[], holder: JsonObject): void {
  for (const key of ACCOUNT_ID_KEYS) {
    const id = textOf(holder[key]);
    if (id !== '' && !ids.includes(id)) ids.push(id);
  }
}

function isDisabled(entry: JsonObject): boolean {
  if (flagOf(entry) === true) return true;
  return isOffWord(entry.status) || isOffWord(entry.state);
}

function isOffWord(word: unknown): boolean {
  return OFF_WORDS.includes(textOf(word).toLowerCase());
}

function flagOf({ disabled }: JsonObject): boolean | null {
  return typeof disabled === 'number' ? disabled !== 0 : booleanOf(disabled);
}

/** Whether the list already shows the wanted state, right after a change. */
export function hasState({ flag, disabled }: Pick<ListedAccount, 'flag' | 'disabled'>, wanted: boolean): boolean {
  return (flag ?? disabled) === wanted;
}

export function normalizedPlan(plan: string): string {
  return trimText(plan).toLowerCase().replaceAll('_', '-');
}

/** The provider's own name for the id wins over the general one, wherever it is. */
function codexAccountId(places: readonly JsonObject[]): string {
  return firstText(places, CHATGPT_ID_KEYS) || firstText(places, PLAIN_ID_KEYS);
}

function readXai(holders: readonly JsonObject[]): XaiCredential {
  const explicit = holders.flatMap((holder) => [holder.using_api, holder.usingApi]).find((v) => booleanOf(v) !== null);
  const authKind = firstText(holders, ['auth_kind', 'authKind']).toLowerCase();
  const user = holders.flatMap((holder) => objectsAt(holder, ['user']));
  return {
    userId: firstText(holders, XAI_USER_KEYS) || firstText(user, ['sub', 'id']),
    usingApi: booleanOf(explicit) ?? (authKind !== '' && authKind !== 'oauth'),
    baseUrl: firstText(holders, ['base_url', 'baseUrl']).replace(/\/+$/, ''),
  };
}

function claimsIn(holders: readonly JsonObject[]): JsonObject[] {
  const claims: JsonObject[] = [];
  for (const holder of holders) for (const key of ID_TOKEN_KEYS) claims.push(...idTokenClaims(holder[key]));
  return claims;
}

function objectsAt(holder: JsonObject, keys: readonly string[]): JsonObject[] {
  const objects: JsonObject[] = [];
  for (const key of keys) {
    const value = holder[key];
    if (isJsonObject(value)) objects.push(value);
  }
  return objects;
}

/** The first text that is not blank; every key of one holder before the next holder. */
function firstText(holders: readonly JsonObject[], keys: readonly string[]): string {
  for (const holder of holders) {
    const text = textAt(holder, keys);
    if (text !== '') return text;
  }
  return '';
}

function textAt(holder: JsonObject, keys: readonly string[]): string {
  for (const key of keys) {
    const text = textOf(holder[key]);
    if (text !== '') return text;
  }
  return '';
}

/** In ms; null = missing or unreadable. */
function instantAt(holder: JsonObject, keys: readonly string[]): number | null {
  const atMs = Date.parse(textAt(holder, keys));
  return Number.isNaN(atMs) ? null : atMs;
}

/** Numbers become text without decimals: an index may be a number. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return trimText(value);
  return typeof value === 'number' && Number.isFinite(value) ? String(Math.trunc(value)) : '';
}

/** null when the value is no boolean. */
function booleanOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  const text = textOf(value).toLowerCase();
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : null;
}
