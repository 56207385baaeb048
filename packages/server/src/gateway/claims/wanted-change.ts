import { createHash } from 'node:crypto';
import { type AccountRecord, accountIdentity, matchesIdentity } from '@manager/core/accounts/identity';
import { hasState, type ListedAccount } from '@manager/core/accounts/listed-account';
import type { AccountClient } from '../accounts/client.ts';
import { GatewayError } from '../errors.ts';

/** The intended result of a manual change. Stored with it, so that a later look-up can show whether it happened. */
export type WantedChange =
  | {
      readonly kind: 'switch';
      /** `unclear`: only the gateway can read the request. */
      readonly disabled: boolean | 'unclear';
      /** Runtime ids or file names, as in the request. */
      readonly names: readonly string[];
      /** It names an account that the list does not show, or none, so it may affect all. */
      readonly amongAll?: boolean;
    }
  | { readonly kind: 'deletion' }
  | { readonly kind: 'content' };

/** A request that only the gateway can read. */
export const WANTS_ANYTHING: WantedChange = { kind: 'switch', disabled: 'unclear', names: [], amongAll: true };

/** The state before a change, for comparison with the state after it. */
export interface Before {
  readonly rows?: readonly ListedAccount[];
  /** Of the affected files; '' = no such file. */
  readonly digests?: Readonly<Record<string, string>>;
}

/**
 * Whether a file is certainly unchanged.
 *
 * @param account only this account of the file: a change may have reached some of its accounts
 */
export type IsUnchanged = (fileName: string, account?: AccountRecord) => boolean;

type Reader = Pick<AccountClient, 'list' | 'download'>;

/** @throws GatewayError */
export async function readBefore(
  reader: Reader,
  wanted: WantedChange,
  fileNames: ReadonlySet<string>,
): Promise<Before> {
  if (wanted.kind === 'content') return { digests: await digestsOf(reader, fileNames) };
  return wanted.kind === 'switch' && wanted.amongAll ? { rows: await reader.list() } : {};
}

/**
 * Which files are certainly unchanged.
 *
 * @param refused the gateway itself answered that it did not do it
 * @throws GatewayError when that is unknown
 */
export async function unchangedFiles(
  reader: Reader,
  wanted: WantedChange,
  before: Before,
  refused: boolean,
): Promise<IsUnchanged> {
  if (wanted.kind === 'content') {
    const digests = before.digests ?? {};
    const after = await digestsOf(reader, new Set(Object.keys(digests)));
    return (fileName) => digests[fileName] !== undefined && digests[fileName] === after[fileName];
  }
  const live = await reader.list();
  if (wanted.kind === 'deletion') {
    const files = new Set(live.map(({ name }) => name));
    return (fileName) => files.has(fileName);
  }
  const { disabled, names, amongAll } = wanted;
  const isNotSwitched = notSwitched(live, disabled, names);
  if (!amongAll) return isNotSwitched;
  const { rows = [] } = before;
  const isNamed = filesNamed([...rows, ...live], names);
  // After a failure a list proves nothing about all others. After a refusal those with an unchanged state are unchanged.
  return (fileName, account) =>
    isNamed.has(fileName) ? isNotSwitched(fileName, account) : refused && sameState(rows, live, fileName);
}

/** As the gateway finds them: by runtime id, else by file name. */
export function rowsOfName(rows: readonly ListedAccount[], name: string): readonly ListedAccount[] {
  const byId = rows.filter((row) => row.runtimeId !== '' && row.runtimeId === name);
  return byId.length > 0 ? byId : rows.filter((row) => row.name === name);
}

/** Files in which no named account has the wanted state. Only those are considered. */
function notSwitched(
  live: readonly ListedAccount[],
  asked: boolean | 'unclear',
  names: readonly string[],
): IsUnchanged {
  const rows = names.flatMap((name) => rowsOfName(live, name));
  return (fileName, account) => {
    const isMeant = (row: ListedAccount) => account === undefined || matchesIdentity(row, accountIdentity(account));
    const named = rows.filter((row) => row.name === fileName && isMeant(row));
    return named.length > 0 && typeof asked === 'boolean' && named.every((row) => !hasState(row, asked));
  };
}

function filesNamed(rows: readonly ListedAccount[], names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => rowsOfName(rows, name)).map(({ name }) => name));
}

function sameState(before: readonly ListedAccount[], live: readonly ListedAccount[], fileName: string): boolean {
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

async function digestsOf(reader: Reader, fileNames: ReadonlySet<string>): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const name of fileNames) {
    try {
      const content = await reader.download(name);
      digests[name] = createHash('sha256').update(content).digest('hex');
    } catch (error) {
      if (!(error instanceof GatewayError) || error.status !== 404) throw error;
      digests[name] = '';
    }
  }
  return digests;
}
