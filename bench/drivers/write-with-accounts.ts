import { dirname } from 'node:path';
import { createAccountFeed } from '../../packages/server/src/events/account-feed/feed.ts';
import type { IngestRecord } from '../../packages/server/src/events/ingest/ingest.ts';
import { openDatabase } from '../../packages/server/src/sqlite/open.ts';
import { openStore, prepareStore } from '../../packages/server/src/workers/store.ts';
import { codexTraffic } from '../dataset/codex-events.ts';
import { accountSnapshots } from '../dataset/events.ts';

/**
 * Writes events of Codex accounts through the writer of the product into a new file, as `write-events.ts` does. In turns the
 * account automation stands still, works off what was left, and follows at once: it reads the stored events again and writes
 * quota evidence, cooldown signals and candidates.
 */
interface Options {
  readonly path: string;
  /** Of each part of a round. */
  readonly events: number;
  readonly rounds: number;
}

/** Processor times are those of the whole process, in µs an event. */
export interface AccountsRound {
  /** Without the automation, making the events included. */
  readonly plainPerSecond: number;
  readonly plainCpuUs: number;
  /** The automation by itself. */
  readonly alonePerSecond: number;
  readonly aloneCpuUs: number;
  /** Until the last event was committed, with the automation behind it. */
  readonly bothPerSecond: number;
  /** Until everything followed from it as well. */
  readonly bothCpuUs: number;
  /** Events that the automation was behind by when the last one was committed. */
  readonly behind: number;
}

export interface AccountsWriteResult {
  readonly rounds: readonly AccountsRound[];
  /** Of the tables of the accounts, for an event. */
  readonly bytes: number;
  readonly quotaRows: number;
}

const BATCH = 500;
const ACCOUNT_TABLES =
  "name LIKE '%quota\\_%' ESCAPE '\\' OR name LIKE '%account\\_action%' ESCAPE '\\' OR name LIKE '%collected\\_batches%' ESCAPE '\\'";

const options = JSON.parse(process.argv[2] ?? '{}') as Options;
prepareStore(options.path, { now: Date.now, tempDirectory: dirname(options.path) });
const store = openStore({
  path: options.path,
  hourlyCore: true,
  now: Date.now,
  log: { info: () => {}, error: (text) => console.error(text) },
});
const traffic = codexTraffic(3);
const looking = openDatabase(options.path, { readonly: true });

const feed = createAccountFeed({
  derive: (args) => store.reader.run('deriveAccountEffects', args, { priority: 'background' }),
  apply: (args) => store.writer.run('applyAccountEffects', args, { priority: 'background' }),
  policy: async () => ({ cooldowns: true, accountActions: true, autoDisable: false }),
  onCooldowns: () => {},
  onFailures: () => {},
  now: traffic.nowMs,
  log: { warn: (text) => console.error(text) },
});

let snapshots: { readonly snapshots: ReturnType<typeof accountSnapshots> } | null = {
  snapshots: accountSnapshots(traffic.accounts, Date.now()),
};

/** One batch under way while the next one is made. */
async function write(events: Iterator<{ readonly text: string }>, count: number, follow: boolean): Promise<void> {
  let left = count;
  const next = () => {
    const records: IngestRecord[] = [];
    for (; records.length < BATCH && left > 0; left -= 1) {
      const event = events.next();
      if (event.done === true) left = 0;
      else records.push({ text: event.value.text, receivedAtMs: traffic.nowMs() });
    }
    return records;
  };
  for (let records = next(); records.length > 0; ) {
    const writing = store.writer.run('ingest', { records, ...(snapshots ?? {}) });
    snapshots = null;
    records = next();
    await writing;
    if (follow) feed.wake();
  }
}

function behind(): number {
  const row = looking
    .query<{ n: number }, []>('SELECT coalesce(sum(last_event_id - first_event_id + 1), 0) AS n FROM collected_batches')
    .get();
  return row?.n ?? 0;
}

async function caughtUp(): Promise<void> {
  while (behind() > 0) {
    feed.wake();
    await Bun.sleep(5);
  }
}

function stored(): { readonly bytes: number; readonly rows: number } {
  const bytes = looking
    .query<{ n: number }, []>(
      `SELECT sum(pgsize - unused) AS n FROM dbstat WHERE aggregate = TRUE AND (${ACCOUNT_TABLES})`,
    )
    .get();
  const rows = looking.query<{ n: number }, []>('SELECT count(*) AS n FROM quota_snapshots').get();
  return { bytes: bytes?.n ?? 0, rows: rows?.n ?? 0 };
}

interface Measured {
  readonly perSecond: number;
  readonly cpuUs: number;
}

/** `settle` takes processor time and counts as such, but is not waited for. */
async function measured(work: () => Promise<void>, settle: () => Promise<void> = async () => {}): Promise<Measured> {
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  await work();
  const seconds = (performance.now() - startedMs) / 1_000;
  await settle();
  const cpu = process.cpuUsage(cpuBefore);
  return { perSecond: options.events / seconds, cpuUs: (cpu.user + cpu.system) / options.events };
}

const events = traffic.following();

async function round(): Promise<AccountsRound> {
  const plain = await measured(() => write(events, options.events, false));
  const alone = await measured(caughtUp);
  let left = 0;
  const both = await measured(async () => {
    await write(events, options.events, true);
    left = behind();
  }, caughtUp);
  return {
    plainPerSecond: plain.perSecond,
    plainCpuUs: plain.cpuUs,
    alonePerSecond: alone.perSecond,
    aloneCpuUs: alone.cpuUs,
    bothPerSecond: both.perSecond,
    bothCpuUs: both.cpuUs,
    behind: left,
  };
}

await write(traffic.past()[Symbol.iterator](), Number.POSITIVE_INFINITY, true);
// The compiler of the runtime gets warm.
await write(events, options.events / 2, true);
await caughtUp();
const before = stored();
const rounds: AccountsRound[] = [];
while (rounds.length < options.rounds) rounds.push(await round());
const after = stored();
looking.close();
await feed.stop();
await store.close();
const result: AccountsWriteResult = {
  rounds,
  bytes: (after.bytes - before.bytes) / (2 * options.rounds * options.events),
  quotaRows: after.rows - before.rows,
};
console.log(JSON.stringify(result));
process.exit(0);
