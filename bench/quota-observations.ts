import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { observationOfEvent, type QuotaEvent } from '@manager/core/accounts/quota/header-evidence';
import type { QuotaObservation } from '@manager/core/accounts/quota/observation';
import { writeObservations } from '../packages/server/src/features/quotas/queries/write-observations.ts';
import { openMigrated } from '../packages/server/src/schema/open-migrated.ts';
import { openDatabase } from '../packages/server/src/sqlite/open.ts';

/**
 * What the quota evidence of steady traffic costs the writer: 500 accounts, 5,000 requests a minute, every answer with
 * headers of a five-hour and a weekly window. `bun bench/quota-observations.ts [events]`
 */
const ACCOUNTS = 500;
const BATCH = 500;
const PER_MINUTE = 5_000;
const FIVE_HOURS = 5 * 3_600_000;
const WEEK = 7 * 86_400_000;
const START = 1_780_000_000_000;
/** Events that arrive behind a later one of their account, in a hundred. */
const LATE_PERCENT = 5;
/** Cycles of the past, so that states are as large as they get. */
const PAST_CYCLES = 32;

interface Form {
  readonly name: string;
  readonly percent: (share: number) => string;
}

const FORMS: readonly Form[] = [
  { name: 'whole percents', percent: (share) => String(Math.floor(share * 100)) },
  { name: 'percents with decimals', percent: (share) => (share * 100).toFixed(3) },
];

let seed = 1;
const random = () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};

let made = 0;
function observation(form: Form, account: number, atMs: number): QuotaObservation {
  made += 1;
  const window = (lengthMs: number, share: number) => {
    const offset = (account * 7_919_000) % lengthMs;
    const start = atMs - ((atMs + offset) % lengthMs);
    const used = form.percent(((atMs - start) / lengthMs) * share);
    const reset = Math.round((start + lengthMs) / 1000 + random() - 0.5) * 1000;
    return {
      used_percent: Number(used),
      reset_at_ms: reset,
      reset_after_seconds: Math.round((reset - atMs) / 1000),
      window_minutes: lengthMs / 60_000,
    };
  };
  const quota = { plan_type: 'plus', primary: window(FIVE_HOURS, 0.8), secondary: window(WEEK, 0.6) };
  const event: QuotaEvent = {
    event_hash: new Bun.CryptoHasher('sha256').update(`${form.name}${made}`).digest('hex'),
    timestamp_ms: atMs,
    response_metadata_json: JSON.stringify({ quota }),
    provider: 'codex',
    executor_type: 'codex',
    model: 'gpt-5',
    requested_model: 'gpt-5',
    resolved_model: 'gpt-5',
    source: '',
    auth_file_snapshot: `codex-account-${account}@example.test-plus.json`,
    auth_index: `index-${account}`,
    auth_provider_snapshot: 'codex',
    auth_project_id_snapshot: '',
    auth_label_snapshot: '',
    account_snapshot: `account-${account}@example.test`,
  };
  const found = observationOfEvent(event);
  if (found === null) throw new Error('the event tells of no window');
  return found;
}

function measure(form: Form, events: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'quota-observations-'));
  const path = join(folder, 'usage.sqlite');
  try {
    openMigrated(path, { now: () => START }).close();
    const db = openDatabase(path, { cacheBytes: 64 * 1024 * 1024 });
    const write = (batch: readonly QuotaObservation[]): readonly [number, number] => {
      const begun = Bun.nanoseconds();
      let stored = begun;
      db.transaction(() => {
        writeObservations(db, batch, Number.MAX_SAFE_INTEGER);
        stored = Bun.nanoseconds();
      }).immediate();
      return [stored - begun, Bun.nanoseconds() - stored];
    };
    for (let past = PAST_CYCLES; past > 0; past -= 1) {
      write(Array.from({ length: ACCOUNTS }, (_, account) => observation(form, account, START - past * FIVE_HOURS)));
    }
    const size = () => {
      db.run('PRAGMA wal_checkpoint(TRUNCATE)');
      const rows = db.query<{ n: number }, []>('SELECT count(*) AS n FROM quota_snapshots').get()?.n ?? 0;
      const bytes =
        db.query<{ n: number }, []>("SELECT sum(pgsize - unused) AS n FROM dbstat WHERE name LIKE '%quota%'").get()
          ?.n ?? 0;
      return { rows, bytes };
    };
    const before = size();
    const writing: number[] = [];
    const committing: number[] = [];
    const processor: number[] = [];
    for (let done = 0; done < events; done += BATCH) {
      const batch = Array.from({ length: BATCH }, (_, index) => {
        const at = START + Math.floor(((done + index) * 60_000) / PER_MINUTE);
        const lateMs = random() * 100 < LATE_PERCENT ? 20_000 : 0;
        return observation(form, Math.floor(random() * ACCOUNTS), at - lateMs);
      });
      const from = process.cpuUsage();
      const [ofWrite, ofCommit] = write(batch);
      const spent = process.cpuUsage(from);
      writing.push(ofWrite / 1_000);
      committing.push(ofCommit / 1_000);
      processor.push(spent.user + spent.system);
    }
    const after = size();
    // Medians: the machine may have other things to do now and then. µs an event.
    const perEvent = (times: number[]) => ((times.sort((a, b) => a - b)[times.length >> 1] ?? 0) / BATCH).toFixed(1);
    const bytes = ((after.bytes - before.bytes) / events).toFixed(1);
    console.log(`${form.name}: ${events} events, ${after.rows - before.rows} rows, ${bytes} bytes an event`);
    console.log(
      `  an event: ${perEvent(writing)} µs until written, ${perEvent(committing)} µs until committed, ` +
        `${perEvent(processor)} µs of processor`,
    );
    db.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const events = Number(process.argv[2] ?? 100_000);
for (const form of FORMS) measure(form, events);
