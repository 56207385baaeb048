import { isJsonObject, type JsonObject, parseJson } from '@manager/core/json/json';

/** Maximum the gateway's proxy takes for one auth file. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** Maximum of an export with many accounts. */
export const MAX_SOURCE_BYTES = 64 * 1024 * 1024;

export type SourceProblem =
  | 'tooLarge'
  | 'extension'
  | 'badName'
  | 'notJson'
  | 'noAccounts'
  | 'noType'
  | 'serviceAccount';

/** An auth file to send. */
export interface Draft {
  readonly name: string;
  /** As it is sent. */
  readonly content: string;
  readonly type: string;
  /** Whose account it is; '' = not known. */
  readonly account: string;
  /** Made from the session of a browser: it ends with its token, because nothing can refresh it. */
  readonly fromSession: boolean;
  readonly problem: SourceProblem | null;
}

/** Members under which exports keep their accounts. */
const LISTS = ['accounts', 'auth_files', 'authFiles', 'files', 'credentials', 'items', 'data'];
const NAMES = ['name', 'file_name', 'fileName', 'filename'];
const CONTENTS = ['content', 'auth', 'credential', 'credentials', 'json', 'data'];
/** Types by the companies that exports name instead. */
const TYPES: Readonly<Record<string, string>> = { openai: 'codex', anthropic: 'claude', grok: 'xai' };
/** Members of a session as a browser shows it. */
const SESSION_TOKENS = ['accessToken', 'access_token'];
const NOBODY = { name: '', content: '', type: '', account: '', fromSession: false };

/**
 * The auth files in a chosen file or a pasted text: a file of the gateway, a session, or an export with many accounts, which
 * becomes one file for each.
 *
 * @param fileName '' = pasted
 */
export function readSource(fileName: string, source: string): readonly Draft[] {
  // The gateway drops directories, and refuses a byte order mark.
  const name = baseName(fileName);
  const text = source.replace(/^\uFEFF/, '');
  const failed = (problem: SourceProblem): readonly Draft[] => [{ ...NOBODY, name, problem }];
  if (name !== '' && !/\.json$/i.test(name)) return failed('extension');
  if (text.length > MAX_SOURCE_BYTES) return failed('tooLarge');
  const value = parseJson(text);
  if (value === undefined || value === null) return failed('notJson');
  const parts = partsOf(value);
  if (parts === null) {
    if (!isJsonObject(value)) return failed('noAccounts');
    return [named(draftOf(value, isNative(value) ? text : null), name)];
  }
  if (parts.length === 0) return failed('noAccounts');
  return numbered(
    parts.map(([given, part]) =>
      isJsonObject(part) ? named(draftOf(part, null), given) : { ...NOBODY, name: given, problem: 'noType' as const },
    ),
  );
}

const isNative = (value: JsonObject): boolean => text(value.type) !== '';
const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

function baseName(path: string): string {
  return path.split(/[/\\]/).at(-1)?.trim() ?? '';
}

type Part = readonly [name: string, content: unknown];

/** The accounts of an export with the names it gives them; null = it is none. */
function partsOf(value: unknown): readonly Part[] | null {
  if (Array.isArray(value)) return value.map(partOf);
  if (!isJsonObject(value) || isNative(value) || tokenOf(value) !== '') return null;
  for (const member of LISTS) {
    const list = value[member];
    if (Array.isArray(list)) return list.map(partOf);
    if (isJsonObject(list)) return byName(list);
  }
  const files = Object.keys(value).length > 0 && Object.keys(value).every((key) => /\.json$/i.test(key));
  return files ? byName(value) : null;
}

function byName(files: JsonObject): readonly Part[] {
  return Object.entries(files).map(([name, content]) => [baseName(name), asObject(content)]);
}

function partOf(entry: unknown): Part {
  if (!isJsonObject(entry)) return ['', asObject(entry)];
  const name = baseName(NAMES.map((member) => text(entry[member])).find((given) => /\.json$/i.test(given)) ?? '');
  if (isNative(entry) && tokenOf(entry) !== '') return [name, entry];
  const content = CONTENTS.map((member) => asObject(entry[member])).find(isJsonObject);
  if (content === undefined) return [name, entry];
  // Exports often name the provider beside the tokens.
  const named = (text(entry.type) || text(entry.provider) || text(entry.platform)).toLowerCase();
  const type = TYPES[named] ?? named;
  return [name, isNative(content) || type === '' ? content : { ...content, type }];
}

function asObject(value: unknown): unknown {
  return typeof value === 'string' ? parseJson(value.replace(/^\uFEFF/, '')) : value;
}

function tokenOf(value: JsonObject): string {
  return [...SESSION_TOKENS, 'refresh_token', 'id_token'].map((member) => text(value[member])).find(Boolean) ?? '';
}

/** @param own its text, where it is sent unchanged */
function draftOf(value: JsonObject, own: string | null): Draft {
  if (value.type === 'service_account') return { ...NOBODY, type: 'vertex', problem: 'serviceAccount' };
  const session = isNative(value) ? null : readSession(value);
  const content = session ?? value;
  const type = text(content.type).toLowerCase();
  const account = text(content.email) || text(content.account_id) || text(content.project_id);
  const sent = own ?? `${JSON.stringify(content, null, 2)}\n`;
  const draft: Draft = { name: '', content: sent, type, account, fromSession: session !== null, problem: null };
  if (type === '') return { ...draft, problem: 'noType' };
  return new Blob([sent]).size > MAX_FILE_BYTES ? { ...draft, problem: 'tooLarge' } : draft;
}

/** The session of ChatGPT as its page shows it; null = it is none. */
function readSession(value: JsonObject): JsonObject | null {
  const token = SESSION_TOKENS.map((member) => text(value[member])).find(Boolean) ?? '';
  const user = isJsonObject(value.user) ? value.user : null;
  if (token === '' || user === null) return null;
  const account = isJsonObject(value.account) ? value.account : {};
  const claims = claimsOf(token);
  const auth = isJsonObject(claims['https://api.openai.com/auth']) ? claims['https://api.openai.com/auth'] : {};
  const endsMs = typeof claims.exp === 'number' ? claims.exp * 1000 : Date.parse(text(value.expires));
  return {
    type: 'codex',
    email: text(user.email),
    account_id: text(account.id) || text(auth.chatgpt_account_id),
    access_token: token,
    ...(Number.isFinite(endsMs) ? { expired: new Date(endsMs).toISOString() } : {}),
  };
}

function claimsOf(token: string): JsonObject {
  const part = token.split('.')[1] ?? '';
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    const claims = parseJson(new TextDecoder().decode(bytes));
    return isJsonObject(claims) ? claims : {};
  } catch {
    return {};
  }
}

/** Longest name a file gets. */
const MAX_NAME = 120;

/** With the name it came with, else one of its type and account. */
function named(draft: Draft, given: string): Draft {
  if (given !== '') {
    const bad = given.length > 255 || hasControl(given);
    return { ...draft, name: given, problem: draft.problem ?? (bad ? 'badName' : null) };
  }
  const account = draft.account.replace(/[^\w@.+-]+/g, '_').slice(0, MAX_NAME);
  return { ...draft, name: draft.type === '' ? '' : `${draft.type}${account === '' ? '' : `-${account}`}.json` };
}

const hasControl = (name: string): boolean => [...name].some((char) => char < ' ' || char === '\u007f');

/** Accounts without any name of their own get numbers. */
function numbered(drafts: readonly Draft[]): readonly Draft[] {
  return drafts.map((draft, index) =>
    draft.account === '' && draft.problem === null && draft.name === `${draft.type}.json`
      ? { ...draft, name: `${draft.type}-${index + 1}.json` }
      : draft,
  );
}
