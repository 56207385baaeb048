import type { Credential } from '@manager/core/accounts/credential';
import { rowsOfName } from './named-scope.ts';

/** Which files a list shows to be as they were before a change that got no answer. */
export type Unchanged = (live: readonly Credential[]) => (fileName: string) => boolean;

/** Files whose credentials do not have the state that was asked for; none when it is not clear which one that is. */
export function notSwitched(disabled: unknown, names: readonly string[]): Unchanged {
  return (live) => {
    const rows = typeof disabled === 'boolean' ? names.flatMap((name) => rowsOfName(live, name)) : [];
    return (fileName) => rows.some((row) => row.name === fileName && row.disabled !== disabled);
  };
}

/** Files that are still there. */
export function notDeleted(live: readonly Credential[]): (fileName: string) => boolean {
  const files = new Set(live.map(({ name }) => name));
  return (fileName) => files.has(fileName);
}
