import type { Exchange } from '../http/exchange.ts';
import type { ListedAccountChange, Mutation, MutationFilter } from './activity-types.ts';
import type { AuthFile } from './auth-file-store.ts';
import type { MutationKind } from './call-kinds.ts';
import type { CallSubject } from './call-subject.ts';

const LIMIT = 20_000;
const ANSWER_LIMIT = 4096;

type OpenMutation = { -readonly [Name in keyof Mutation]: Mutation[Name] } & { changes: ListedAccountChange[] };

/** Records every requested change. */
export interface Journal {
  open(kind: MutationKind, exchange: Exchange, subject: CallSubject): void;
  /** The request changed an account; requests without an entry are ignored. */
  changed(exchange: Exchange, file: AuthFile, what: ListedAccountChange['what'], wasDisabled: boolean): void;
  close(exchange: Exchange, answer: Uint8Array | null): void;
  operator(kind: MutationKind, names: readonly string[], changes: readonly ListedAccountChange[]): void;
  list(filter?: MutationFilter): Mutation[];
  clear(): void;
}

export function createJournal(now: () => number): Journal {
  let entries: OpenMutation[] = [];
  let sequence = 0;
  const open = new WeakMap<Exchange, OpenMutation>();

  function add(members: Omit<OpenMutation, 'sequence' | 'atMs' | 'finishedAtMs' | 'status' | 'answer'>): OpenMutation {
    sequence += 1;
    const entry: OpenMutation = { sequence, atMs: now(), finishedAtMs: null, ...members, status: 0, answer: '' };
    entries.push(entry);
    if (entries.length > LIMIT * 2) entries = entries.slice(-LIMIT);
    return entry;
  }

  return {
    open(kind, exchange, { names, authIndex, disabled }) {
      const { method, target, headers } = exchange;
      const authorization = exchange.header('authorization') || exchange.header('x-management-key');
      const userAgent = exchange.header('user-agent');
      const call = { by: 'caller' as const, kind, method, target, authorization, userAgent, headers, body: '' };
      open.set(exchange, add({ ...call, names, authIndex, disabled, changes: [] }));
    },
    changed(exchange, file, what, wasDisabled) {
      open.get(exchange)?.changes.push(changeOf(file, what, wasDisabled));
    },
    close(exchange, answer) {
      const entry = open.get(exchange);
      if (entry === undefined) return;
      entry.finishedAtMs = now();
      entry.status = exchange.record.status;
      entry.body = exchange.record.bodyKept.toString();
      if (answer !== null && entry.status !== 0)
        entry.answer = Buffer.from(answer.subarray(0, ANSWER_LIMIT)).toString();
    },
    operator(kind, names, changes) {
      const call = {
        by: 'operator' as const,
        kind,
        method: '',
        target: '',
        authorization: '',
        userAgent: '',
        body: '',
      };
      const entry = add({ ...call, headers: [], names, authIndex: null, disabled: null, changes: [...changes] });
      entry.finishedAtMs = entry.atMs;
    },
    list: (filter = {}) => entries.filter((entry) => matches(entry, filter)).map((entry) => ({ ...entry })),
    clear() {
      entries = [];
    },
  };
}

export function changeOf(file: AuthFile, what: ListedAccountChange['what'], wasDisabled: boolean): ListedAccountChange {
  return { id: file.id, name: file.name, authIndex: file.authIndex, what, wasDisabled };
}

function matches(entry: OpenMutation, { by, kind, account }: MutationFilter): boolean {
  if (by !== undefined && by !== entry.by) return false;
  if (kind !== undefined && kind !== entry.kind) return false;
  if (account === undefined || entry.names.includes(account) || entry.authIndex === account) return true;
  return entry.changes.some(({ id, name, authIndex }) => [id, name, authIndex].includes(account));
}
