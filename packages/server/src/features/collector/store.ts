import type { GapKind } from '../../gateway/collector.ts';
import type { ReaderContext, WriterContext } from '../../sqlite/contexts.ts';

/** Gaps kept; older ones are removed. */
const MAX_GAPS = 10_000;
const HEARTBEAT_SETTING = 'collector_heartbeat';
/** A heartbeat covers this time: the next one must be written within it. */
const HEARTBEAT_COVERS_MS = 5_000;

/** The heartbeat of a collecting process, and what the next one must know when this one is killed. */
export interface Heartbeat {
  readonly timeMs: number;
  /**
   * No record that was sent before this time is still uncommitted. Slightly before the arrival of the oldest uncommitted one,
   * because a record waits in the socket before it is read.
   */
  readonly uncommittedSinceMs: number;
  /** Everything published before this time was received or is in a gap; null = receiving without a break. */
  readonly heardUntilMs: number | null;
  readonly retentionMs: number;
  readonly upstream: string;
  /** Written by a stop that committed or spooled everything. */
  readonly clean: boolean;
  readonly starvedReason: string | null;
}

export interface Gap {
  readonly id: number;
  readonly fromMs: number;
  /** null = open. */
  readonly toMs: number | null;
  readonly kind: GapKind;
  /** null = unknown. */
  readonly estimatedLost: number | null;
}

export interface BeginArgs {
  readonly heartbeat: Heartbeat;
  /** A sign of life after the last heartbeat, from outside the database; null = none. */
  readonly seenAliveAtMs: number | null;
}

export interface BeginResult {
  readonly previous: Heartbeat | null;
  /** End of the gap that was recorded for an unclean stop; null = it was clean. */
  readonly uncleanUntilMs: number | null;
  readonly open: readonly Gap[];
}

export interface GapSummary {
  readonly count: number;
  readonly open: readonly GapKind[];
  readonly last: Gap | null;
}

/**
 * Starts a run: dates what a killed process may have lost, and writes the first heartbeat, in one transaction and before
 * anything is consumed.
 */
function beginCollecting(context: WriterContext, args: BeginArgs): BeginResult {
  const previous = readHeartbeat(context.db);
  let uncleanUntilMs: number | null = null;
  if (previous !== null && !previous.clean) {
    uncleanUntilMs = Math.max(previous.timeMs, args.seenAliveAtMs ?? 0) + HEARTBEAT_COVERS_MS;
    insertGap(context, {
      fromMs: Math.min(previous.uncommittedSinceMs, previous.timeMs),
      toMs: uncleanUntilMs,
      kind: 'unclean_stop',
      estimatedLost: null,
    });
  }
  const open = context.db.query<GapRow, []>(`${SELECT_GAP} WHERE to_ms IS NULL ORDER BY id`).all().map(toGap);
  writeHeartbeat(context, args.heartbeat);
  return { previous, uncleanUntilMs, open };
}

function writeHeartbeat(context: WriterContext, heartbeat: Heartbeat): void {
  context.db
    .query(
      `INSERT INTO settings (key, value, updated_at_ms) VALUES (?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at_ms = excluded.updated_at_ms`,
    )
    .run(HEARTBEAT_SETTING, JSON.stringify(heartbeat), heartbeat.timeMs);
}

export interface SaveGapArgs extends Omit<Gap, 'id'> {
  /** null = a new row. */
  readonly id: number | null;
}

/** Inserts or changes a gap. Returns its id, which is new when the row is gone. */
function saveGap(context: WriterContext, gap: SaveGapArgs): { readonly id: number } {
  if (gap.id !== null) {
    const { changes } = context.db
      .query('UPDATE collection_gaps SET from_ms = ?, to_ms = ?, kind = ?, estimated_lost = ? WHERE id = ?')
      .run(gap.fromMs, gap.toMs, gap.kind, gap.estimatedLost, gap.id);
    if (changes > 0) return { id: gap.id };
  }
  return { id: insertGap(context, gap) };
}

function insertGap(context: WriterContext, gap: Omit<Gap, 'id'>): number {
  const { lastInsertRowid } = context.db
    .query('INSERT INTO collection_gaps (from_ms, to_ms, kind, estimated_lost) VALUES (?, ?, ?, ?)')
    .run(gap.fromMs, gap.toMs, gap.kind, gap.estimatedLost);
  const id = Number(lastInsertRowid);
  // Ids are never reused, so the oldest rows have the smallest ids.
  context.db
    .query(
      `DELETE FROM collection_gaps
       WHERE id <= (SELECT id FROM collection_gaps ORDER BY id DESC LIMIT 1 OFFSET ?)`,
    )
    .run(MAX_GAPS);
  return id;
}

/** The number of gaps, the kinds that are open, and the newest row. */
function gapSummary(context: ReaderContext): GapSummary {
  const { db } = context;
  const count = db.query<{ count: number }, []>('SELECT count(*) AS count FROM collection_gaps').get()?.count ?? 0;
  const open = db
    .query<{ kind: GapKind }, []>('SELECT DISTINCT kind FROM collection_gaps WHERE to_ms IS NULL ORDER BY kind')
    .all()
    .map((row) => row.kind);
  const last = db.query<GapRow, []>(`${SELECT_GAP} ORDER BY id DESC LIMIT 1`).get();
  return { count, open, last: last === null ? null : toGap(last) };
}

export interface GapRangeArgs {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

/** Gaps that overlap a range, oldest first. */
function gapsInRange(context: ReaderContext, range: GapRangeArgs): readonly Gap[] {
  return context.db
    .query<GapRow, [number, number]>(
      `${SELECT_GAP}
       WHERE from_ms < ?
         AND (to_ms IS NULL OR to_ms > ?)
       ORDER BY from_ms, id`,
    )
    .all(range.toMs, range.fromMs)
    .map(toGap);
}

/** Listed in `workers/operations/writes.ts`; each runs inside one transaction. */
export const collectorWrites = { beginCollecting, writeHeartbeat, saveGap };

/** Listed in `workers/operations/reads.ts`. */
export const collectorReads = { gapSummary, gapsInRange };

interface GapRow {
  readonly id: number;
  readonly from_ms: number;
  readonly to_ms: number | null;
  readonly kind: string;
  readonly estimated_lost: number | null;
}

const SELECT_GAP = 'SELECT id, from_ms, to_ms, kind, estimated_lost FROM collection_gaps';

const GAP_KINDS: Readonly<Record<GapKind, true>> = {
  unclean_stop: true,
  away: true,
  dropped: true,
  answer_lost: true,
  publishing_off: true,
  starved: true,
};

function toGap(row: GapRow): Gap {
  return {
    id: row.id,
    fromMs: row.from_ms,
    toMs: row.to_ms,
    kind: isGapKind(row.kind) ? row.kind : 'away',
    estimatedLost: row.estimated_lost,
  };
}

function isGapKind(text: string): text is GapKind {
  return Object.hasOwn(GAP_KINDS, text);
}

function readHeartbeat(db: WriterContext['db']): Heartbeat | null {
  const row = db.query<{ value: string }, [string]>('SELECT value FROM settings WHERE key = ?').get(HEARTBEAT_SETTING);
  if (row === null) return null;
  try {
    return parseHeartbeat(JSON.parse(row.value));
  } catch {
    return null;
  }
}

function parseHeartbeat(value: unknown): Heartbeat | null {
  if (typeof value !== 'object' || value === null) return null;
  const row: Readonly<Record<string, unknown>> = { ...value };
  if (typeof row.timeMs !== 'number') return null;
  return {
    timeMs: row.timeMs,
    uncommittedSinceMs: typeof row.uncommittedSinceMs === 'number' ? row.uncommittedSinceMs : row.timeMs,
    heardUntilMs: typeof row.heardUntilMs === 'number' ? row.heardUntilMs : null,
    retentionMs: typeof row.retentionMs === 'number' ? row.retentionMs : 60_000,
    upstream: typeof row.upstream === 'string' ? row.upstream : '',
    clean: row.clean === true,
    starvedReason: typeof row.starvedReason === 'string' ? row.starvedReason : null,
  };
}
