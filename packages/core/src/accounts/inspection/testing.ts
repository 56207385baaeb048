import type { ProbeAnswer } from '../api-call.ts';
import { readApiCallAnswer } from '../api-call.ts';
import { type Credential, readCredential } from '../credential.ts';

export function credentialOf(entry: Readonly<Record<string, unknown>>): Credential {
  const credential = readCredential({ id: 'r1', name: 'a.json', ...entry });
  if (credential === null) throw new Error('not a credential');
  return credential;
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
