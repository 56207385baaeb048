import type { Database } from 'bun:sqlite';

const DAY_MS = 86_400_000;

interface Run {
  readonly id: string;
  readonly status: string;
  readonly events: number;
  readonly archived: number;
  readonly deleted: number;
  readonly lastArchivedId: number;
  readonly segments: number;
  readonly segmentEvents: number;
  readonly refs: number;
  readonly deletedRefs: number;
  readonly locked: number;
}

/** Runs, their segments and references, the deleted days and the stored events agree. */
export function checkArchives(db: Database): string[] {
  return [...checkRuns(db), ...checkReferences(db), ...checkDays(db), ...checkLock(db)];
}

function checkRuns(db: Database): string[] {
  const runs = db
    .query<Run, []>(
      `SELECT
         id,
         status,
         event_count AS events,
         archived_event_count AS archived,
         deleted_event_count AS deleted,
         last_archived_event_id AS lastArchivedId,
         (SELECT count(*) FROM usage_archive_segments WHERE run_number = number) AS segments,
         (SELECT coalesce(sum(event_count), 0) FROM usage_archive_segments WHERE run_number = number) AS segmentEvents,
         (SELECT count(*) FROM usage_archive_event_refs WHERE run_number = number) AS refs,
         (SELECT count(raw_deleted_at_ms) FROM usage_archive_event_refs WHERE run_number = number) AS deletedRefs,
         EXISTS (SELECT 1 FROM usage_maintenance_locks WHERE run_number = number) AS locked
       FROM usage_archive_runs`,
    )
    .all();
  return runs.flatMap((run) => {
    // References of a canceled run have no meaning and are removed step by step.
    const refsFit = run.status === 'cancelled' ? run.refs <= run.archived : run.refs === run.archived;
    const isComplete = ['archived', 'verifying', 'verified', 'deleting', 'completed'].includes(run.status);
    const isActive = ['archiving', 'verifying', 'deleting'].includes(run.status);
    const rules: readonly (readonly [boolean, string])[] = [
      [run.segmentEvents === run.archived, `its segments hold ${run.segmentEvents} events, it says ${run.archived}`],
      [refsFit, `it has ${run.refs} references instead of ${run.archived}`],
      [run.deletedRefs === run.deleted, `${run.deletedRefs} references are deleted, it says ${run.deleted}`],
      [!isComplete || run.archived === run.events, `it is ${run.status} with ${run.archived} of ${run.events} events`],
      [run.status !== 'completed' || run.deleted === run.events, `it is completed with ${run.deleted} deleted events`],
      [
        isActive === (run.locked === 1),
        `it is ${run.status} and ${run.locked === 1 ? 'holds the lock' : 'holds no lock'}`,
      ],
    ];
    return rules.filter(([holds]) => !holds).map(([, text]) => `archive ${run.id}: ${text}`);
  });
}

function checkReferences(db: Database): string[] {
  const rules: readonly (readonly [string, string])[] = [
    [
      'has its raw row although it is deleted',
      'raw_deleted_at_ms IS NOT NULL AND raw_event_id IN (SELECT id FROM usage_events)',
    ],
    ['has no raw row', 'raw_deleted_at_ms IS NULL AND raw_event_id NOT IN (SELECT id FROM usage_events)'],
    [
      'is not that of the ledger',
      `raw_deleted_at_ms IS NULL AND raw_event_id IS NOT (
         SELECT event_id FROM usage_event_identity_ledger WHERE event_hash = ref.event_hash
       )`,
    ],
    ['has a hash although it is deleted', 'raw_deleted_at_ms IS NOT NULL AND event_hash IS NOT NULL'],
    [
      'lies in no segment of its run',
      `NOT EXISTS (
         SELECT 1
         FROM usage_archive_segments AS segment
         WHERE segment.run_number = ref.run_number
           AND segment.sequence = ref.segment_sequence
           AND ref.raw_event_id BETWEEN segment.first_event_id AND segment.last_event_id
           AND ref.timestamp_ms BETWEEN segment.min_timestamp_ms AND segment.max_timestamp_ms
       )`,
    ],
  ];
  return rules.flatMap(([text, condition]) =>
    db
      .query<{ id: number }, []>(
        `SELECT raw_event_id AS id FROM usage_archive_event_refs AS ref WHERE ${condition} LIMIT 10`,
      )
      .all()
      .map(({ id }) => `reference of event ${id} ${text}`),
  );
}

/** The days equal a recount of the deleted references. */
function checkDays(db: Database): string[] {
  const stored = db.query('SELECT * FROM usage_archive_deleted_coverage_daily ORDER BY utc_day_ms').values();
  const expected = db
    .query(
      `SELECT timestamp_ms - timestamp_ms % ${DAY_MS} AS day, count(*), min(timestamp_ms), max(timestamp_ms)
       FROM usage_archive_event_refs
       WHERE raw_deleted_at_ms IS NOT NULL
       GROUP BY day
       ORDER BY day`,
    )
    .values();
  return Bun.deepEquals(stored, expected) ? [] : ['the days of deleted events differ from their references'];
}

function checkLock(db: Database): string[] {
  const rows = db.query<{ rows: number }, []>('SELECT count(*) AS rows FROM usage_maintenance_locks').get()?.rows ?? 0;
  return rows > 1 ? [`${rows} maintenance locks`] : [];
}
