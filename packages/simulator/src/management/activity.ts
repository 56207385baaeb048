import { type Clock, sleep } from '../clock.ts';
import type { Faults } from '../faults/faults.ts';
import type { Exchange, HeldAnswer } from '../http/exchange.ts';
import type { AuthFileStore } from './auth-file-store.ts';
import type { CallCounts } from './call-counts.ts';
import type { CallKind } from './call-kinds.ts';
import { type CallSubject, isAbout, isMutation, subjectOf } from './call-subject.ts';
import type { Journal } from './journal.ts';
import { mutationAnswer, successOf } from './mutation-answers.ts';
import type { Operator } from './operator.ts';

interface ActivityDependencies {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly authFiles: AuthFileStore;
  readonly counts: CallCounts;
  readonly journal: Journal;
  readonly operator: Operator;
}

type Handle = () => void | Promise<void>;
type MutationFault = NonNullable<ReturnType<typeof takeMutation>>;

/** Runs a request about accounts: counts and records it, with hooks and the faults of changes. */
export async function runCall(
  kind: CallKind,
  exchange: Exchange,
  dependencies: ActivityDependencies,
  handle: Handle,
): Promise<void> {
  const { counts, journal, operator } = dependencies;
  const subject = await subjectOf(kind, exchange);
  const end = counts.begin(kind, { authIndex: subject.authIndex, files: filesOf(subject, dependencies.authFiles) });
  if (isMutation(kind)) journal.open(kind, exchange, subject);
  let sent: Uint8Array | null = null;
  try {
    await operator.reached(subject, 'before');
    const fault = takeMutation(subject, dependencies);
    if (fault?.delayBeforeMs !== undefined) await sleep(dependencies.clock, fault.delayBeforeMs);
    const held = fault?.applies === false ? null : await heldAnswer(exchange, handle);
    await operator.reached(subject, 'after');
    if (fault?.delayAfterMs !== undefined) await sleep(dependencies.clock, fault.delayAfterMs);
    if (fault !== null) sent = await sendScripted(exchange, fault, subject, held);
    else if (held !== null) sent = send(exchange, held);
  } finally {
    end();
    journal.close(exchange, sent);
  }
}

/** The complete answer of a handler; null when it streamed the answer itself, or gave none. */
async function heldAnswer(exchange: Exchange, handle: Handle): Promise<HeldAnswer | null> {
  const taken: HeldAnswer[] = [];
  exchange.holdAnswer((answer) => void taken.push(answer));
  try {
    await handle();
  } finally {
    exchange.holdAnswer(null);
  }
  return taken[0] ?? null;
}

function send(exchange: Exchange, { status, headers, body }: HeldAnswer): Uint8Array {
  exchange.respond(status, headers, body);
  return body;
}

async function sendScripted(
  exchange: Exchange,
  fault: MutationFault,
  subject: CallSubject,
  held: HeldAnswer | null,
): Promise<Uint8Array | null> {
  if (fault.answer === undefined && held !== null) return send(exchange, held);
  const answer = fault.answer === undefined ? successOf(subject) : mutationAnswer(fault.answer, subject);
  if (answer === 'reset') {
    exchange.connection.reset();
    return null;
  }
  if (answer === 'hang') {
    const signal = exchange.gone;
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return null;
  }
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  return send(exchange, { status: answer.status, headers, body: Buffer.from(answer.body) });
}

function takeMutation(subject: CallSubject, { faults, authFiles }: ActivityDependencies) {
  return faults.take('mutation', (fault) => {
    const isKind = fault.on === undefined ? ['status', 'delete'].includes(subject.kind) : fault.on === subject.kind;
    if (!isKind || (fault.disabled !== undefined && fault.disabled !== subject.disabled)) return false;
    return fault.account === undefined || isAbout(subject, fault.account, authFiles);
  });
}

/** Physical files a change is about. */
function filesOf({ kind, names }: CallSubject, authFiles: AuthFileStore): readonly string[] {
  if (!isMutation(kind)) return [];
  return [...new Set(names.map((name) => authFiles.find(name)?.name ?? name))];
}
