import { join } from 'node:path';
import { openDatabase } from '@manager/server/sqlite/open';
import type { Mutation } from '@manager/simulator';
import type { Simulator } from './upstream.ts';

/** User agent of changes that a person makes through the manager. */
export const HAND = 'hand';

interface Claim {
  readonly file: string;
  readonly owner: string;
  readonly state: string;
}

/** A request of a person to disable an account, which a kill cut off: it counts, whether or not the gateway heard of it. */
export interface CutRequest {
  readonly file: string;
  /** Changes of the account that had been asked for when it was sent. */
  readonly after: number;
}

/** What the manager has stored about who disabled what. */
export interface StoredClaims {
  /** Who disabled accounts, or is about to disable or enable them. */
  readonly claims: readonly Claim[];
  /** What is still to be decided or done. */
  readonly open: number;
  /** When the next cooldown is to end. */
  readonly nextEndMs: number;
  /** By file, for whoever looks for a cause: what became of every claim. */
  readonly history: ReadonlyMap<string, readonly object[]>;
}

export function storedClaims(dataDir: string): StoredClaims {
  const db = openDatabase(join(dataDir, 'usage.sqlite'), { readonly: true });
  try {
    const claims = db
      .query<Claim, []>(
        `SELECT auth_file_name AS file, owner, state
         FROM account_claims
         WHERE state IN ('disabling', 'held', 'enabling')`,
      )
      .all();
    const waiting = db
      .query<{ n: number }, []>(
        `SELECT (SELECT count(*) FROM collected_batches) + (SELECT count(*) FROM manual_changes)
           + (SELECT count(*) FROM account_claims WHERE state = 'requested') AS n`,
      )
      .get();
    const next = db
      .query<{ at: number | null }, []>(
        `SELECT min(max(next_attempt_at_ms, until_ms)) AS at
         FROM account_claims
         WHERE state = 'held' AND until_ms IS NOT NULL`,
      )
      .get();
    const history = db
      .query<{ file: string }, []>(
        `SELECT auth_file_name AS file, owner, state, last_error, created_at_ms, updated_at_ms
         FROM account_claims
         ORDER BY updated_at_ms`,
      )
      .all();
    return {
      claims,
      history: Map.groupBy(history, ({ file }) => file),
      open: (waiting?.n ?? 0) + claims.filter(({ state }) => state !== 'held').length,
      nextEndMs: next?.at ?? Number.POSITIVE_INFINITY,
    };
  } finally {
    db.close();
  }
}

/** Changes of people that were stored and of which it is not known yet whether they happened. */
export function openChanges(dataDir: string): number {
  const db = openDatabase(join(dataDir, 'usage.sqlite'), { readonly: true });
  try {
    return db.query<{ n: number }, []>('SELECT count(*) AS n FROM manual_changes').get()?.n ?? 0;
  } finally {
    db.close();
  }
}

/**
 * What is wrong: a record of a credential that is enabled or that a person disabled, two records of one, and a credential that
 * automation disabled and nobody owns. For files of one credential.
 */
export function falseClaims(
  upstream: Simulator,
  { claims, history }: StoredClaims,
  cut: readonly CutRequest[],
): string[] {
  return upstream.authFiles().flatMap(({ name, disabled }) => {
    const file = String(name);
    const own = claims.filter((claim) => claim.file === file).map(({ owner }) => owner);
    const wrong: string[] = [];
    if (own.length > 1) wrong.push(`${file} has ${own.join(' and ')}`);
    if (disabled !== true && own.length > 0) wrong.push(`${file} is enabled and has ${own.join()}`);
    const { byHand, isAsked } = lastChange(upstream, file, cut);
    if (disabled === true && byHand && own.length > 0)
      wrong.push(`${file} was disabled by a person and has ${own.join()}`);
    // After a request of a person whose end nobody knows, nobody owns it.
    if (disabled === true && !byHand && !isAsked && own.length === 0) wrong.push(`${file} has nobody`);
    const told = [...(history.get(file) ?? []), ...upstream.mutations({ credential: file }).map(asked)];
    return wrong.map((text) => [text, ...told.map((line) => JSON.stringify(line))].join('\n  '));
  });
}

function asked({ atMs, finishedAtMs, userAgent, disabled, changes, status }: Mutation): object {
  return { atMs, finishedAtMs, userAgent, disabled, changes, status };
}

/** Credentials that automation enabled although a person had disabled them last. */
export function enabledOverPeople(upstream: Simulator): string[] {
  return upstream.authFiles().flatMap(({ name }) => {
    const file = String(name);
    let isTheirs = false;
    return upstream.mutations({ credential: file }).flatMap((mutation) =>
      mutation.changes.flatMap(({ what, wasDisabled }) => {
        const wasTheirs = isTheirs;
        if (isByHand(mutation)) isTheirs = what === 'disabled';
        else if (wasDisabled !== (what === 'disabled')) isTheirs = false;
        return wasTheirs && !isByHand(mutation) && what === 'enabled' && wasDisabled ? [file] : [];
      }),
    );
  });
}

function lastChange(
  upstream: Simulator,
  file: string,
  cut: readonly CutRequest[],
): { readonly byHand: boolean; readonly isAsked: boolean } {
  const mutations = upstream.mutations({ credential: file });
  const at = mutations.findLastIndex((mutation) => mutation.changes.some(({ what }) => what === 'disabled'));
  const last = mutations[at];
  const isCut = cut.some((request) => request.file === file && request.after > at);
  return { byHand: last !== undefined && isByHand(last), isAsked: isCut || mutations.slice(at + 1).some(isByHand) };
}

function isByHand({ by, userAgent }: Mutation): boolean {
  return by === 'operator' || userAgent === HAND;
}
