import { join } from 'node:path';
import { openDatabase } from '@manager/server/sqlite/open';
import type { Mutation } from '@manager/simulator';
import type { Simulator } from './upstream.ts';

/** User agent of changes that a person makes through the manager. */
export const HAND = 'hand';

interface Claim {
  readonly file: string;
  readonly record: string;
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
  /** Records by which a credential may be enabled again. */
  readonly claims: readonly Claim[];
  /** Files of credentials that failures disabled for good. */
  readonly autoDisabled: ReadonlySet<string>;
  /** What is still to be decided or done. */
  readonly open: number;
  /** When the next cooldown is to end. */
  readonly nextEndMs: number;
}

export function storedClaims(dataDir: string): StoredClaims {
  const db = openDatabase(join(dataDir, 'usage.sqlite'), { readonly: true });
  try {
    const claims = db
      .query<Claim, []>(
        `SELECT auth_file_name AS file, 'ownership' AS record, state FROM inspection_disable_ownership
         UNION ALL
         SELECT auth_file_name, 'cooldown', status FROM quota_cooldowns WHERE status IN ('pending', 'active')`,
      )
      .all();
    const autoDisabled = db
      .query<{ file: string }, []>(
        'SELECT auth_file_name AS file FROM account_action_candidates WHERE auto_disabled_at_ms IS NOT NULL',
      )
      .all();
    const waiting = db
      .query<{ n: number }, []>(
        `SELECT (SELECT count(*) FROM collected_batches) + (SELECT count(*) FROM quota_cooldown_signals)
           + (SELECT count(*) FROM manual_changes)
           + (SELECT count(*) FROM account_action_candidates WHERE auto_disable_step IS NOT NULL) AS n`,
      )
      .get();
    const next = db
      .query<{ at: number | null }, []>(
        "SELECT min(next_attempt_at_ms) AS at FROM quota_cooldowns WHERE status = 'active'",
      )
      .get();
    return {
      claims,
      autoDisabled: new Set(autoDisabled.map(({ file }) => file)),
      open: (waiting?.n ?? 0) + claims.filter(({ state }) => state === 'pending').length,
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
  { claims, autoDisabled }: StoredClaims,
  cut: readonly CutRequest[],
): string[] {
  return upstream.authFiles().flatMap(({ name, disabled }) => {
    const file = String(name);
    const own = claims.filter((claim) => claim.file === file).map(({ record }) => record);
    const wrong: string[] = [];
    if (own.length > 1) wrong.push(`${file} has ${own.join(' and ')}`);
    if (disabled !== true && own.length > 0) wrong.push(`${file} is enabled and has ${own.join()}`);
    const { byHand, asked } = lastChange(upstream, file, cut);
    if (disabled === true && byHand && own.length > 0)
      wrong.push(`${file} was disabled by a person and has ${own.join()}`);
    // After a request of a person whose end nobody knows, nobody owns it.
    if (disabled === true && !byHand && !asked && own.length === 0 && !autoDisabled.has(file))
      wrong.push(`${file} has nobody`);
    return wrong;
  });
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
): { readonly byHand: boolean; readonly asked: boolean } {
  const mutations = upstream.mutations({ credential: file });
  const at = mutations.findLastIndex((mutation) => mutation.changes.some(({ what }) => what === 'disabled'));
  const last = mutations[at];
  const isCut = cut.some((request) => request.file === file && request.after > at);
  return { byHand: last !== undefined && isByHand(last), asked: isCut || mutations.slice(at + 1).some(isByHand) };
}

function isByHand({ by, userAgent }: Mutation): boolean {
  return by === 'operator' || userAgent === HAND;
}
