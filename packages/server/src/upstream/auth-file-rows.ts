import { normalizedProvider } from '@manager/core/usage/account-key';

/** One credential of the upstream's auth-file list. Several may share one physical file (`name`). */
export interface AuthFileRow {
  /** '' on versions that do not send one. */
  readonly runtimeId: string;
  /** Physical file name. */
  readonly name: string;
  readonly authIndex: string;
  readonly provider: string;
  readonly accountSnapshot: string;
  /** Every account or project id the row carries: a record may know any one of them. */
  readonly accountIds: readonly string[];
  readonly disabled: boolean;
}

type Json = Readonly<Record<string, unknown>>;

const LIST_KEYS = ['auth_files', 'authFiles', 'files', 'items', 'data'];
const ACCOUNT_ID_KEYS = [
  'account_id',
  'accountId',
  'chatgpt_account_id',
  'chatgptAccountId',
  'project_id',
  'projectId',
  'gemini_virtual_project',
  'geminiVirtualProject',
  'sub',
];

/** Reads the list in any of its wrappers: an array, an object that holds one, or one bare entry. Other entries are left out. */
export function readAuthFileRows(value: unknown): AuthFileRow[] {
  return listOf(value).flatMap((entry) => {
    const row = isObject(entry) ? readRow(entry) : null;
    return row ? [row] : [];
  });
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return [];
  for (const key of LIST_KEYS) {
    const list = value[key];
    if (Array.isArray(list)) return list;
  }
  return firstText(value, ['name', 'file_name', 'fileName']) === '' ? [] : [value];
}

function readRow(entry: Json): AuthFileRow | null {
  const name = firstText(entry, ['name', 'file_name', 'fileName', 'id']);
  if (name === '') return null;
  const account = firstText(entry, ['account', 'email', 'display_account', 'displayAccount']);
  return {
    runtimeId: firstText(entry, ['id']),
    name,
    authIndex: firstText(entry, ['auth_index', 'authIndex', 'auth-index']),
    provider: normalizedProvider(firstText(entry, ['provider', 'type'])),
    // A snapshot equal to the file name identifies nothing.
    accountSnapshot: account === name ? '' : account,
    accountIds: accountIds(entry),
    disabled: isDisabled(entry),
  };
}

function accountIds(entry: Json): string[] {
  const holders = [entry, ...['id_token', 'idToken', 'metadata', 'attributes'].map((key) => entry[key])].filter(
    isObject,
  );
  const nested = holders.slice(1).flatMap((holder) => [holder.id_token, holder.idToken].filter(isObject));
  const ids = [...holders, ...nested].flatMap((holder) => ACCOUNT_ID_KEYS.map((key) => text(holder[key])));
  return [...new Set(ids.filter((id) => id !== ''))];
}

function isDisabled(entry: Json): boolean {
  const flag = entry.disabled;
  if (flag === true || flag === 'true' || flag === '1' || (typeof flag === 'number' && flag !== 0)) return true;
  return ['disabled', 'inactive'].includes(firstText(entry, ['status', 'state']).toLowerCase());
}

function firstText(entry: Json, keys: readonly string[]): string {
  for (const key of keys) {
    const value = text(entry[key]);
    if (value !== '') return value;
  }
  return '';
}

function text(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' && Number.isFinite(value) ? String(Math.trunc(value)) : '';
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
