import type { MutationAnswer, MutationAnswerName } from '../faults/fault-types.ts';
import { VIRTUAL_ROW } from './auth-file-rules.ts';
import type { CallSubject } from './call-subject.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Larger than clients of such answers accept. */
const TOO_LARGE_BYTES = 5 * 1024 * 1024;

const json = (body: unknown, status = 200): (() => Answer) => {
  return () => ({ status, body: JSON.stringify(body) });
};
const text = (body: string): (() => Answer) => {
  return () => ({ status: 200, body });
};

const ANSWERS: Readonly<Record<Exclude<MutationAnswerName, 'reset' | 'hang'>, (subject: CallSubject) => Answer>> = {
  empty: text(''),
  text: text('ok'),
  truncated: text('{"status":"o'),
  trailing: text('{"status":"ok"}{"status":"ok"}'),
  array: json([]),
  'too-large': () => ({ status: 200, body: JSON.stringify({ status: 'ok', padding: 'x'.repeat(TOO_LARGE_BYTES) }) }),
  'failed-list': ({ names }) => {
    const failed = [{ name: names[0] ?? '', error: 'sim: not written' }];
    return { status: 200, body: JSON.stringify({ status: 'ok', failed }) };
  },
  'error-member': json({ status: 'ok', error: 'sim: not written' }),
  'success-false': json({ success: false }),
  'ok-false': json({ ok: false }),
  'status-error': json({ status: 'error' }),
  'status-failed': json({ status: 'failed' }),
  partial: ({ names }) => {
    const failed = names.map((name) => ({ name, error: 'sim: not written' }));
    return { status: 207, body: JSON.stringify({ status: 'partial', failed }) };
  },
  'partial-quiet': json({ status: 'partial', deleted: 1 }),
  'success-true': json({ success: true, failed: [] }),
  'ok-true': json({ ok: true, error: null }),
  'status-success': json({ status: 'success' }),
  unconfirmed: json({ deleted: 1 }),
  'empty-object': json({}),
  'bad-request': json({ error: 'invalid request body' }, 400),
  'not-found': json({ error: 'auth file not found' }, 404),
  conflict: json({ error: 'sim: busy' }, 409),
  'virtual-conflict': json({ error: VIRTUAL_ROW }, 409),
  'server-error': json({ error: 'sim: disk full' }, 500),
  unavailable: json({ error: 'core auth manager unavailable' }, 503),
};

/** The scripted answer of a change; `reset` and `hang` have none. */
export function mutationAnswer(answer: MutationAnswer, subject: CallSubject): Answer | 'reset' | 'hang' {
  if (answer === 'reset' || answer === 'hang') return answer;
  if (typeof answer === 'string') return ANSWERS[answer](subject);
  const { status, body = '' } = answer;
  return { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

/** The answer of a successful change. */
export function successOf({ kind, disabled }: CallSubject): Answer {
  const body = kind === 'status' ? { status: 'ok', disabled: disabled === true } : { status: 'ok' };
  return { status: 200, body: JSON.stringify(body) };
}
