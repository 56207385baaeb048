import type { Exchange } from '../http/exchange.ts';
import { isObject } from '../json.ts';
import type { AuthFileStore } from './auth-file-store.ts';
import type { CallKind, MutationKind } from './call-kinds.ts';

export interface CallSubject {
  readonly kind: CallKind;
  /** Ids and file names. */
  readonly names: readonly string[];
  readonly authIndex: string | null;
  /** For status: the requested value. */
  readonly disabled: boolean | null;
}

/** Reads the body of requests that may change an account or call a provider; the others leave it to their handler. */
export async function subjectOf(kind: CallKind, exchange: Exchange): Promise<CallSubject> {
  const { query } = exchange;
  const nothing = { kind, names: [], authIndex: null, disabled: null };
  switch (kind) {
    case 'list':
    case 'models':
    case 'download':
      return { ...nothing, names: query.getAll('name'), authIndex: query.get('auth_index') };
    case 'upload':
      return { ...nothing, names: query.has('name') ? query.getAll('name') : await partNames(exchange) };
    case 'delete': {
      if (query.has('all')) return nothing;
      return { ...nothing, names: query.has('name') ? query.getAll('name') : namesOf(await exchange.json()) };
    }
    case 'status':
    case 'fields':
    case 'api-call':
    case 'reset-quota': {
      const body = await exchange.json();
      if (!isObject(body)) return nothing;
      const index = body.auth_index ?? body.authIndex ?? body.AuthIndex;
      return {
        kind,
        names: typeof body.name === 'string' ? [body.name] : [],
        authIndex: typeof index === 'string' && index !== '' ? index.trim() : null,
        disabled: typeof body.disabled === 'boolean' ? body.disabled : null,
      };
    }
    default:
      return nothing;
  }
}

/** Names in the body of a delete: `{name}`, `{names: []}` or a list. */
export function namesOf(body: unknown): string[] {
  const list = Array.isArray(body) ? body : isObject(body) ? (body.names ?? [body.name]) : [];
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string' && name !== '') : [];
}

async function partNames(exchange: Exchange): Promise<string[]> {
  const text = (await exchange.bytes()).toString();
  return [...text.matchAll(/\bfilename="([^"]*)"/g)].map((match) => match[1] ?? '');
}

/** Whether a request names an account, or its file. */
export function isAbout(subject: CallSubject, account: string, authFiles: AuthFileStore): boolean {
  if (subject.names.includes(account) || subject.authIndex === account) return true;
  return authFiles.named(account).some((file) => {
    if (subject.authIndex !== null) return file.authIndex === subject.authIndex;
    return subject.names.includes(file.id) || subject.names.includes(file.name);
  });
}

export function isMutation(kind: CallKind): kind is MutationKind {
  return kind !== 'list' && kind !== 'models' && kind !== 'download' && kind !== 'api-call';
}
