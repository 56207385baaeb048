import { afterAll, beforeAll, expect, test } from 'bun:test';
import { HELD_SQL } from '../queries/cancel-run.ts';
import { RELEASE_SQL, UNRELEASED_SQL } from '../queries/release-references.ts';
import { CANDIDATES_SQL, UNDELETED_SQL } from './store-deletion.ts';
import { EVENTS_SQL } from './store-events.ts';
import { ELIGIBLE_SQL, PROOF_SQL } from './store-proof.ts';
import { SEGMENTS_SQL } from './store-run.ts';
import { NEXT_ELIGIBLE_SQL } from './store-segments.ts';
import { type ArchiveSite, createArchiveSite } from './testing/site.ts';

let site: ArchiveSite;
beforeAll(async () => {
  site = await createArchiveSite({ events: 2_000 });
  site.createRun();
  await site.run('archiving');
  site.db.run('ANALYZE');
});
afterAll(() => site.close());

/** Placeholders stay unbound; the text alone decides. `still_wanted()` is a function of readers. */
function planOf(sql: string): string[] {
  return site.db
    .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql.replace('AND still_wanted()', '')}`)
    .all()
    .map(({ detail }) => detail);
}

const REFERENCE = ['CORRELATED SCALAR SUBQUERY 1', 'SEARCH ref USING INTEGER PRIMARY KEY (rowid=?)'];

test.each([
  ['events of a segment', EVENTS_SQL, ['SEARCH event USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)', ...REFERENCE]],
  [
    'events that a segment must hold',
    NEXT_ELIGIBLE_SQL,
    ['SEARCH event USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)', ...REFERENCE],
  ],
  [
    'eligible events',
    ELIGIBLE_SQL,
    ['SEARCH event USING COVERING INDEX usage_events_time (timestamp_ms>? AND timestamp_ms<?)', ...REFERENCE],
  ],
  ['segments of a run', SEGMENTS_SQL, ['SEARCH usage_archive_segments USING PRIMARY KEY (run_number=?)']],
  [
    'events to be deleted',
    CANDIDATES_SQL,
    ['SEARCH usage_archive_event_refs USING INDEX usage_archive_event_refs_undeleted (run_number=? AND rowid>?)'],
  ],
  [
    'references that are left',
    UNDELETED_SQL,
    ['SEARCH usage_archive_event_refs USING INDEX usage_archive_event_refs_undeleted (run_number=?)'],
  ],
  [
    'references of a run that may be cancelled',
    HELD_SQL,
    [
      'CO-ROUTINE (subquery-2)',
      'SEARCH ref USING INDEX usage_archive_event_refs_undeleted (run_number=? AND rowid>?)',
      'SCALAR SUBQUERY 1',
      'SEARCH usage_archive_runs USING COVERING INDEX sqlite_autoindex_usage_archive_runs_1 (id=?)',
      'SEARCH event USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
      'SCAN (subquery-2)',
    ],
  ],
  [
    'references of a cancelled run',
    RELEASE_SQL,
    [
      'SEARCH usage_archive_event_refs USING INTEGER PRIMARY KEY (rowid=?)',
      'LIST SUBQUERY 1',
      'SEARCH usage_archive_event_refs USING INDEX usage_archive_event_refs_undeleted (run_number=?)',
    ],
  ],
  [
    // There are few runs.
    'cancelled runs with references',
    UNRELEASED_SQL,
    [
      'SCAN usage_archive_runs',
      'SEARCH usage_archive_event_refs EXISTS USING INDEX usage_archive_event_refs_undeleted (run_number=?)',
    ],
  ],
  [
    'references beside their claims',
    PROOF_SQL,
    [
      'SEARCH ref USING INDEX usage_archive_event_refs_undeleted (run_number=? AND rowid>?)',
      'SEARCH ledger USING PRIMARY KEY (event_hash=?) LEFT-JOIN',
      'CORRELATED SCALAR SUBQUERY 1',
      'SEARCH usage_events USING INTEGER PRIMARY KEY (rowid=?)',
    ],
  ],
])('%s are read by an index', (_name, sql, plan) => {
  expect(planOf(sql)).toEqual(plan);
});
