import type { Database } from 'bun:sqlite';
import type { ConfigurationVersion } from '@manager/core/contract/gateway-configuration';
import type { ReaderContext, WriterContext } from '../../sqlite/contexts.ts';

export const MAX_VERSIONS = 50;
export const MAX_AGE_MS = 30 * 86_400_000;

interface Row {
  readonly id: number;
  readonly digest: string;
  readonly origin: ConfigurationVersion['origin'];
  readonly bytes: number;
  readonly first_seen_at_ms: number;
  readonly last_seen_at_ms: number;
  /** JSON */
  readonly changed: string | null;
}

export interface KeptVersion {
  readonly gateway: string;
  readonly digest: string;
  readonly envelope: string;
  readonly bytes: number;
  readonly saved: boolean;
  /** Its changes since the version with that digest; null = unknown. */
  readonly changes: { readonly since: string; readonly names: readonly string[] } | null;
}

const COLUMNS = 'id, digest, origin, bytes, first_seen_at_ms, last_seen_at_ms, changed';

/** Read operation: versions of a gateway, the newest first. */
function listConfigurations(
  { db }: ReaderContext,
  { gateway, nowMs }: { readonly gateway: string; readonly nowMs: number },
): ConfigurationVersion[] {
  return db
    .query<Row, [string, number]>(
      `SELECT ${COLUMNS}
       FROM gateway_configurations
       WHERE gateway = ? AND last_seen_at_ms > ?
       ORDER BY last_seen_at_ms DESC, id DESC`,
    )
    .all(gateway, nowMs - MAX_AGE_MS)
    .map(toVersion);
}

/** Read operation: one version with its envelope; null = not kept. */
function readConfiguration(
  { db }: ReaderContext,
  { gateway, id, nowMs }: { readonly gateway: string; readonly id: number; readonly nowMs: number },
): { readonly version: ConfigurationVersion; readonly envelope: string } | null {
  const row = db
    .query<Row & { readonly envelope: string }, [string, number, number]>(
      `SELECT ${COLUMNS}, envelope
       FROM gateway_configurations
       WHERE gateway = ? AND id = ? AND last_seen_at_ms > ?`,
    )
    .get(gateway, id, nowMs - MAX_AGE_MS);
  return row === null ? null : { version: toVersion(row), envelope: row.envelope };
}

/** Write operation: the text of the newest version was seen again; any other text is a version of its own, also one that returns. */
function keepConfiguration(
  { db, now }: WriterContext,
  { gateway, digest, envelope, bytes, saved, changes }: KeptVersion,
): { readonly version: ConfigurationVersion; readonly added: boolean } {
  return db
    .transaction(() => {
      const nowMs = now();
      prune(db, gateway, nowMs);
      const newest = newestOf(db, gateway);
      // The order is by this time, so it never goes back.
      const seenAtMs = Math.max(nowMs, newest?.last_seen_at_ms ?? 0);
      const known = newest?.digest === digest;
      const origin = saved ? 'saved' : newest === null ? 'seen' : known ? newest.origin : 'elsewhere';
      // Another version may have become the newest since they were found.
      const changed = changes !== null && changes.since === newest?.digest ? JSON.stringify(changes.names) : null;
      if (known)
        // Its envelope stays: with another data key in place, reading the configuration would replace what the right one opens.
        db.query('UPDATE gateway_configurations SET origin = ?, last_seen_at_ms = ? WHERE id = ?').run(
          origin,
          seenAtMs,
          newest.id,
        );
      else
        db.query(
          `INSERT INTO gateway_configurations (gateway, digest, envelope, bytes, origin, first_seen_at_ms, last_seen_at_ms, changed)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        ).run(gateway, digest, envelope, bytes, origin, nowMs, seenAtMs, changed);
      prune(db, gateway, nowMs);
      const row = newestOf(db, gateway);
      if (row === null) throw new Error('the version was not kept');
      return { version: toVersion(row), added: !known };
    })
    .immediate();
}

/** Write operation: of every gateway. */
function deleteConfigurations({ db }: WriterContext, _: null): void {
  db.query('DELETE FROM gateway_configurations').run();
}

function newestOf(db: Database, gateway: string): Row | null {
  return db
    .query<Row, [string]>(
      `SELECT ${COLUMNS}
       FROM gateway_configurations
       WHERE gateway = ?
       ORDER BY last_seen_at_ms DESC, id DESC
       LIMIT 1`,
    )
    .get(gateway);
}

function prune(db: Database, gateway: string, nowMs: number): void {
  db.query('DELETE FROM gateway_configurations WHERE last_seen_at_ms <= ?').run(nowMs - MAX_AGE_MS);
  db.query(
    `DELETE FROM gateway_configurations
     WHERE gateway = ?1 AND id NOT IN (
       SELECT id
       FROM gateway_configurations
       WHERE gateway = ?1
       ORDER BY last_seen_at_ms DESC, id DESC
       LIMIT ?2
     )`,
  ).run(gateway, MAX_VERSIONS);
}

function toVersion(row: Row): ConfigurationVersion {
  return {
    id: row.id,
    digest: row.digest,
    origin: row.origin,
    bytes: row.bytes,
    firstSeenAtMs: row.first_seen_at_ms,
    lastSeenAtMs: row.last_seen_at_ms,
    changed: row.changed === null ? null : (JSON.parse(row.changed) as string[]),
  };
}

export const configurationReads = { listConfigurations, readConfiguration } as const;
export const configurationWrites = { keepConfiguration, deleteConfigurations } as const;
