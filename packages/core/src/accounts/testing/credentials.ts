import { authFileEntries, type Credential, readCredential } from '../credential.ts';

/** The credentials of a whole list. */
export function readCredentials(answer: unknown): Credential[] {
  return authFileEntries(answer).flatMap((entry) => readCredential(entry) ?? []);
}
