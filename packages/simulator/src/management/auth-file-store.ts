import type { AccountStore } from '../accounts/account-store.ts';
import type { AuthFileSpec } from '../accounts/auth-file-spec.ts';
import { listedClaims } from '../accounts/id-token.ts';
import fixture from '../fixtures/auth-files.json';
import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import type { Profile } from '../types.ts';
import { compareVersions } from '../versions.ts';
import type { AccountCounters } from './account-counters.ts';
import { authIndexOfFile } from './auth-index.ts';

/** One account: a row of the list, and the file it comes from. */
export interface AuthFile {
  readonly id: string;
  readonly name: string;
  readonly authIndex: string;
  readonly isVirtual: boolean;
  readonly row: JsonObject;
  content: JsonObject;
  disabled: boolean;
}

/** Auth files on an in-memory disk. */
export interface AuthFileStore {
  add(spec: AuthFileSpec): AuthFile;
  /** Writes a file as an upload does: the same name keeps its counters and its index. */
  write(name: string, content: JsonObject): AuthFile;
  /** Names of files that came by `write`. */
  uploaded(): ReadonlySet<string>;
  /** Removes the file and all rows that come from it. */
  remove(name: string): boolean;
  removeAll(): number;
  /** By id, else by file name; the first of several. */
  find(selector: string, authIndex?: string): AuthFile | null;
  /**
   * What a change of `selector` changes: the account of that id; all accounts of a file when that id is its source row, or when
   * the file is named whose rows a plugin expanded.
   */
  affectedBy(selector: string, authIndex?: string): readonly AuthFile[];
  /** All with this id, file name or index. */
  named(text: string): readonly AuthFile[];
  byIndex(authIndex: string): AuthFile | null;
  all(): readonly AuthFile[];
  rows(profile: Profile): JsonObject[];
}

/** List members that older versions do not send. */
const SINCE: Readonly<Record<string, string>> = {
  recent_requests: '6.9.46',
  success: '6.9.49',
  failed: '6.9.49',
  websockets: '7.1.22',
  weight: '7.2.104',
  request_retry: '7.2.140',
};

export function createAuthFileStore(
  counters: AccountCounters,
  accounts: AccountStore,
  now: () => number,
  directory: () => string,
): AuthFileStore {
  let files: AuthFile[] = [];
  const uploaded = new Set<string>();

  function add(spec: AuthFileSpec): AuthFile {
    const id = spec.id ?? spec.name;
    const authIndex =
      spec.authIndex ?? authIndexOfFile(spec.type, id === spec.name ? id : `${spec.name}#${id}`, directory());
    const content = { ...fieldsOf(spec.row ?? {}), ...(spec.content ?? defaultContent(spec)) };
    const file: AuthFile = {
      id,
      name: spec.name,
      authIndex,
      isVirtual: spec.virtual === true,
      row: { ...rowOf(spec, content, now(), directory()), ...spec.row },
      content,
      disabled: spec.disabled ?? (spec.row?.disabled === true || content.disabled === true),
    };
    const recent = Array.isArray(spec.row?.recent_requests) ? spec.row.recent_requests.filter(isObject) : [];
    const { success, failed } = file.row;
    if (Number(success ?? 0) > 0 || Number(failed ?? 0) > 0)
      counters.seed(authIndex, Number(success ?? 0), Number(failed ?? 0), recent);
    files.push(file);
    if (spec.account === undefined) accounts.remove(authIndex);
    else accounts.set(authIndex, spec.account);
    return file;
  }

  function find(selector: string, authIndex?: string): AuthFile | null {
    const fits = (file: AuthFile): boolean => authIndex === undefined || file.authIndex === authIndex;
    const byId = files.find((file) => file.id === selector && fits(file));
    return byId ?? files.find((file) => file.name === selector && fits(file)) ?? null;
  }

  /** The list shows whom the new content belongs to; another person is another account. */
  function rewrite(file: AuthFile, content: JsonObject): void {
    if (typeof content.email === 'string' && content.email !== file.row.email) {
      Object.assign(file.row, { email: content.email, account: content.email, label: content.email });
      accounts.remove(file.authIndex);
    }
    if (typeof content.type === 'string' && content.type !== '')
      Object.assign(file.row, { type: content.type, provider: content.type });
    if (typeof content.project_id === 'string') file.row.project_id = content.project_id;
    const claims = content.type === 'codex' ? listedClaims(content.id_token) : null;
    if (claims !== null) file.row.id_token = claims;
    showFields(file.row, content);
    if (typeof content.disabled === 'boolean') file.disabled = content.disabled;
    file.content = content;
    file.row.modtime = file.row.updated_at = timeText(now());
    file.row.size = sizeOf(content);
  }

  function shown(file: AuthFile, profile: Profile): JsonObject {
    const counter = counters.of(file.authIndex);
    const row: JsonObject = {
      ...file.row,
      id: file.id,
      auth_index: file.authIndex,
      name: file.name,
      disabled: file.disabled,
      success: counter.success,
      failed: counter.failed,
      recent_requests: counters.recentRequests(file.authIndex),
    };
    for (const [name, since] of Object.entries(SINCE)) {
      if (compareVersions(profile.version, since) < 0) delete row[name];
    }
    return row;
  }

  return {
    add,
    uploaded: () => uploaded,
    write(name, content) {
      uploaded.add(name);
      const known = files.find((file) => file.name === name && !file.isVirtual);
      if (known !== undefined) {
        rewrite(known, content);
        return known;
      }
      return add({ name, type: textOf(content.type) === '' ? 'unknown' : textOf(content.type), content });
    },
    remove(name) {
      const removed = files.filter((file) => file.name === name);
      files = files.filter((file) => file.name !== name);
      for (const file of removed) accounts.remove(file.authIndex);
      return removed.length > 0;
    },
    removeAll() {
      const count = files.length;
      files = [];
      return count;
    },
    find,
    affectedBy(selector, authIndex) {
      const found = find(selector, authIndex);
      if (found === null) return [];
      const isWholeFile = found.name === selector && (found.id === found.name || found.isVirtual);
      return isWholeFile ? files.filter((file) => file.name === found.name) : [found];
    },
    named: (text) => files.filter((file) => file.id === text || file.name === text || file.authIndex === text),
    byIndex: (authIndex) => files.find((file) => file.authIndex === authIndex) ?? null,
    all: () => files,
    rows(profile) {
      return files
        .map((file) => ({ file, key: file.name.toLowerCase() }))
        .sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0))
        .map(({ file }) => shown(file, profile));
    },
  };
}

function rowOf(spec: AuthFileSpec, content: JsonObject, nowMs: number, directory: string): JsonObject {
  const email = spec.email ?? textOf(content.email);
  const projectId = spec.projectId ?? textOf(content.project_id);
  const isDisabled = spec.disabled ?? content.disabled === true;
  const row: JsonObject = {
    type: spec.type,
    provider: spec.type,
    label: spec.label ?? [email, projectId].find((text) => text !== '') ?? spec.type,
    account_type: 'oauth',
    status: isDisabled ? 'disabled' : 'active',
    status_message: '',
    unavailable: false,
    runtime_only: false,
    source: 'file',
    size: sizeOf(content),
    created_at: timeText(nowMs),
    modtime: timeText(nowMs),
    updated_at: timeText(nowMs),
    path: `${directory}/${spec.name}`,
  };
  if (email !== '') Object.assign(row, { email, account: email });
  if (projectId !== '') row.project_id = projectId;
  // A given row says itself what is listed of the token.
  const claims = spec.type === 'codex' && spec.row === undefined ? listedClaims(content.id_token) : null;
  if (claims !== null) row.id_token = claims;
  showFields(row, content);
  return row;
}

/** Members of a file that its row shows where they are set. */
const SHOWN_FIELDS = ['priority', 'weight', 'note', 'websockets', 'request_retry'];

function fieldsOf(row: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([name]) => SHOWN_FIELDS.includes(name)));
}

/** Shows the fields of a file in its row. */
export function showFields(row: JsonObject, content: JsonObject): void {
  for (const name of SHOWN_FIELDS) {
    const value = content[name];
    if (value === undefined) delete row[name];
    else row[name] = value;
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function defaultContent(spec: AuthFileSpec): JsonObject {
  // Rows that a plugin expands have no token of their own.
  if (spec.virtual === true) return { type: spec.type };
  const content: JsonObject = {
    type: spec.type,
    access_token: `sim-access-token-${spec.name}`,
    refresh_token: `sim-refresh-token-${spec.name}`,
  };
  if (spec.email !== undefined) content.email = spec.email;
  if (spec.projectId !== undefined) content.project_id = spec.projectId;
  return content;
}

function sizeOf(content: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(content));
}

export function timeText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.?0+Z$/, 'Z');
}

/** The rows of the fixture, or this many synthetic ones. */
export function authFileSpecs(files: readonly AuthFileSpec[] | number | undefined): readonly AuthFileSpec[] {
  if (typeof files === 'number') return Array.from({ length: files }, (_, index) => syntheticFile(index));
  return files ?? (fixture.files as JsonObject[]).map(specOfRow);
}

function specOfRow(row: JsonObject): AuthFileSpec {
  const text = (name: string): string => String(row[name] ?? '');
  const email = row.email;
  const projectId = row.project_id;
  return {
    name: text('name'),
    id: text('id'),
    type: text('type'),
    authIndex: text('auth_index'),
    virtual: text('id') !== text('name'),
    ...(typeof email === 'string' ? { email } : {}),
    ...(typeof projectId === 'string' ? { projectId } : {}),
    row,
  };
}

const SYNTHETIC_TYPES = ['codex', 'claude', 'antigravity', 'kimi', 'xai', 'gemini'];

function syntheticFile(index: number): AuthFileSpec {
  const type = SYNTHETIC_TYPES[index % SYNTHETIC_TYPES.length] ?? 'codex';
  const email = `account-${String(index + 1).padStart(5, '0')}@example.test`;
  return { name: `${type}-${email}.json`, type, email };
}
