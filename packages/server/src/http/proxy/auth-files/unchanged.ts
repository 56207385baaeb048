import { createHash } from 'node:crypto';
import { type Credential, hasState } from '@manager/core/accounts/credential';
import { AppError } from '@manager/core/contract/errors';
import type { AuthFileReader } from './mutation.ts';
import { rowsOfName } from './named-scope.ts';

/**
 * Begins before a change is sent, and looks after an answer that does not confirm it. What cannot be read is thrown: then
 * nobody knows.
 *
 * @param fileNames whose automation was revoked for the change
 */
export type Watch = (reader: AuthFileReader, fileNames: ReadonlySet<string>) => Promise<Look>;

/**
 * Which files surely are as they were.
 *
 * @param refused the upstream itself says that it did not do it
 */
export type Look = (refused: boolean) => Promise<IsUnchanged>;

export type IsUnchanged = (fileName: string) => boolean;

/** What a request wants `disabled` to be; `unclear` when it says that in a way that only the upstream can read. */
export type AskedState = boolean | 'unclear' | 'nothing';

/** Files in which none of the named credentials has the state that was asked for. Only those are concerned. */
export function watchSwitch(asked: AskedState, names: readonly string[]): Watch {
  if (asked === 'nothing') return watchAll;
  return async (reader) => async () => notSwitched(await reader.list(), asked, names);
}

/**
 * The same for a request that names somebody whom the list does not show, or nobody. Of all others a list tells nothing after
 * a failure. After a refusal those that have the state they had are as they were.
 */
export function watchSwitchAmongAll(asked: AskedState, names: readonly string[]): Watch {
  return async (reader) => {
    const before = await reader.list();
    return async (refused) => {
      const live = await reader.list();
      const isNamed = filesNamed([...before, ...live], asked === 'nothing' ? [] : names);
      const isNotSwitched = notSwitched(live, asked, names);
      return (fileName) =>
        isNamed.has(fileName) ? isNotSwitched(fileName) : refused && sameState(before, live, fileName);
    };
  };
}

/** For requests that only the upstream can read: after a refusal, files whose credentials all have the state they had. */
export const watchAll: Watch = watchSwitchAmongAll('nothing', []);

/** Files that are still there. */
export const watchDeletion: Watch = async (reader) => async () => {
  const files = new Set((await reader.list()).map(({ name }) => name));
  return (fileName) => files.has(fileName);
};

/** Files whose content is what it was. */
export const watchContent: Watch = async (reader, fileNames) => {
  const before = await contents(reader, fileNames);
  return async () => {
    const after = await contents(reader, fileNames);
    return (fileName) => before.has(fileName) && before.get(fileName) === after.get(fileName);
  };
};

function notSwitched(live: readonly Credential[], asked: AskedState, names: readonly string[]): IsUnchanged {
  const rows = names.flatMap((name) => rowsOfName(live, name));
  return (fileName) => {
    const named = rows.filter((row) => row.name === fileName);
    return named.length > 0 && typeof asked === 'boolean' && named.every((row) => !hasState(row, asked));
  };
}

function filesNamed(rows: readonly Credential[], names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => rowsOfName(rows, name)).map(({ name }) => name));
}

function sameState(before: readonly Credential[], live: readonly Credential[], fileName: string): boolean {
  const [then, now] = [before, live].map((rows) =>
    rows
      .filter(({ name }) => name === fileName)
      .map((row) =>
        JSON.stringify([row.runtimeId, row.authIndex, row.accountSnapshot, row.accountIds, hasState(row, true)]),
      )
      .toSorted(),
  );
  return JSON.stringify(then) === JSON.stringify(now);
}

/** Digests; '' = there is no such file. */
async function contents(reader: AuthFileReader, fileNames: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  for (const name of fileNames) {
    try {
      digests.set(
        name,
        createHash('sha256')
          .update(await reader.download(name))
          .digest('hex'),
      );
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 404) throw error;
      digests.set(name, '');
    }
  }
  return digests;
}
