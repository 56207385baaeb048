import { join } from 'node:path';
import { openDatabase } from '@manager/server/sqlite/open';
import type { Mutation } from '@manager/simulator';
import type { Simulator } from './test-gateway.ts';

/** User agent of changes a person makes through the manager. */
export const HAND = 'hand';

interface Claim {
  readonly file: string;
  readonly owner: string;
  readonly state: string;
}

/** A person's request to disable an account, cut off by a kill: it counts whether or not the gateway received it. */
export interface CutRequest {
  readonly file: string;
  /** Number of changes of the account requested before it. */
  readonly after: number;
}

/** Stored records of who disabled what. */
export interface StoredClaims {
  /** Accounts that are disabled, or about to be disabled or enabled, and their owner. */
  readonly claims: readonly Claim[];
  /** Open decisions and changes. */
  readonly open: number;
  /** Failures that a success may still withdraw, and accounts that are about to be enabled for one. */
  readonly unconfirmed: number;
  /** When the next cooldown is to end. */
  readonly nextEndMs: number;
  /** By file, for finding causes: the outcome of every claim and candidate. */
  readonly history: ReadonlyMap<string, readonly object[]>;
}

export function storedClaims(dataDir: string): StoredClaims {
  const db = openDatabase(join(dataDir, 'usage.sqlite'), { readonly: true });
  try {
    // All of one moment: a claim may be requested and begun between two questions.
    db.run('BEGIN');
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
    const unconfirmed = db
      .query<{ n: number }, []>(
        `SELECT (SELECT count(*) FROM account_claims WHERE state = 'held' AND until_ms = 0)
           + (SELECT count(*) FROM account_action_candidates
              WHERE status = 'pending' AND confirming_until_ms IS NOT NULL) AS n`,
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
         UNION ALL
         SELECT auth_file_name, reason_code, status, reason, first_seen_at_ms, last_seen_at_ms
         FROM account_action_candidates
         ORDER BY updated_at_ms`,
      )
      .all();
    return {
      claims,
      history: Map.groupBy(history, ({ file }) => file),
      open: (waiting?.n ?? 0) + claims.filter(({ state }) => state !== 'held').length,
      unconfirmed: unconfirmed?.n ?? 0,
      nextEndMs: next?.at ?? Number.POSITIVE_INFINITY,
    };
  } finally {
    db.close();
  }
}

/** By file, whether its newest stored attempt succeeded. A kill may lose events, and nobody can know of those. */
export function storedAnswers(dataDir: string): {
  readonly events: number;
  readonly succeeded: ReadonlyMap<string, boolean>;
} {
  const db = openDatabase(join(dataDir, 'usage.sqlite'), { readonly: true });
  try {
    const rows = db
      .query<{ file: string; failed: number }, []>(
        `SELECT symbols.text AS file, facts_tail.flags & 1 AS failed
         FROM facts_tail
         JOIN symbols ON symbols.id = facts_tail.auth_file_snapshot
         ORDER BY facts_tail.timestamp_ms, failed DESC`,
      )
      .all();
    return { events: rows.length, succeeded: new Map(rows.map(({ file, failed }) => [file, failed === 0])) };
  } finally {
    db.close();
  }
}

/** Stored changes of people with an unknown outcome. */
export function openChanges(dataDir: string): number {
  const db = openDatabase(join(dataDir, 'usage.sqlite'), { readonly: true });
  try {
    return db.query<{ n: number }, []>('SELECT count(*) AS n FROM manual_changes').get()?.n ?? 0;
  } finally {
    db.close();
  }
}

/**
 * Violations: a claim on an account that is enabled or that a person disabled, two claims on one account, and an account that
 * automation disabled without an owner. For files with one account.
 */
export function falseClaims(
  gateway: Simulator,
  { claims, history }: StoredClaims,
  cut: readonly CutRequest[],
): string[] {
  return gateway.authFiles().flatMap(({ name, disabled }) => {
    const file = String(name);
    const own = claims.filter((claim) => claim.file === file).map(({ owner }) => owner);
    const wrong: string[] = [];
    if (own.length > 1) wrong.push(`${file} has ${own.join(' and ')}`);
    if (disabled !== true && own.length > 0) wrong.push(`${file} is enabled and has ${own.join()}`);
    const { byHand, isAsked } = lastChange(gateway, file, cut);
    if (disabled === true && byHand && own.length > 0)
      wrong.push(`${file} was disabled by a person and has ${own.join()}`);
    // After a person's request to disable it with an unknown outcome, nobody owns the account.
    if (disabled === true && !byHand && !isAsked && own.length === 0) wrong.push(`${file} has nobody`);
    return wrong.map((text) => told(gateway, history, file, text));
  });
}

/** A violation with all that is known of its account. */
export function told(gateway: Simulator, history: StoredClaims['history'], file: string, text: string): string {
  const lines = [...(history.get(file) ?? []), ...gateway.mutations({ account: file }).map(asked)];
  return [text, ...lines.map((line) => JSON.stringify(line))].join('\n  ');
}

function asked({ atMs, finishedAtMs, userAgent, disabled, changes, status }: Mutation): object {
  return { atMs, finishedAtMs, userAgent, disabled, changes, status };
}

/** Accounts that automation enabled although a person disabled them last. */
export function enabledAgainstPeople(gateway: Simulator): string[] {
  return gateway.authFiles().flatMap(({ name }) => {
    const file = String(name);
    let isTheirs = false;
    return gateway.mutations({ account: file }).flatMap((mutation) =>
      mutation.changes.flatMap(({ what, wasDisabled }) => {
        const wasTheirs = isTheirs;
        if (isManual(mutation)) isTheirs = what === 'disabled';
        else if (wasDisabled !== (what === 'disabled')) isTheirs = false;
        return wasTheirs && !isManual(mutation) && what === 'enabled' && wasDisabled ? [file] : [];
      }),
    );
  });
}

function lastChange(
  gateway: Simulator,
  file: string,
  cut: readonly CutRequest[],
): { readonly byHand: boolean; readonly isAsked: boolean } {
  const mutations = gateway.mutations({ account: file });
  const at = mutations.findLastIndex((mutation) => mutation.changes.some(({ what }) => what === 'disabled'));
  const last = mutations[at];
  const isCut = cut.some((request) => request.file === file && request.after > at);
  const asks = (mutation: Mutation) => isManual(mutation) && mutation.disabled !== false;
  return { byHand: last !== undefined && isManual(last), isAsked: isCut || mutations.slice(at + 1).some(asks) };
}

/** Whether a person disabled the account, or may have. */
export function isDisabledByPerson(gateway: Simulator, file: string, cut: readonly CutRequest[]): boolean {
  const { byHand, isAsked } = lastChange(gateway, file, cut);
  return byHand || isAsked;
}

function isManual({ by, userAgent }: Mutation): boolean {
  return by === 'operator' || userAgent === HAND;
}
