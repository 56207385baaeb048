import type { ProbeAnswer } from '../api-call.ts';
import { readApiCallAnswer } from '../api-call.ts';
import { type ListedAccount, readListedAccount } from '../listed-account.ts';

export function listedOf(entry: Readonly<Record<string, unknown>>): ListedAccount {
  const account = readListedAccount({ id: 'r1', name: 'a.json', ...entry });
  if (account === null) throw new Error('not a credential');
  return account;
}

/** A probe as the vectors write it: the answer of the gateway, or an error. */
export function answerOf(probe: {
  readonly transportError?: string;
  readonly httpStatus?: number;
  readonly answer?: unknown;
}): ProbeAnswer {
  if (probe.transportError !== undefined) return { kind: 'transport_error', error: probe.transportError };
  return readApiCallAnswer(probe.httpStatus ?? 200, JSON.stringify(probe.answer));
}

/** Vectors of one kind; an empty file must not pass. */
export function vectorsOf<Vector>(vectors: readonly Vector[]): readonly Vector[] {
  if (vectors.length === 0) throw new Error('there are no vectors of this kind');
  return vectors;
}
