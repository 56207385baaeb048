import { dirname } from 'node:path';
import type { IngestRecord } from '@manager/server/events/ingest/ingest-record';
import { openStore, prepareStore, type Store } from '@manager/server/workers/store';
import { accountSnapshots, historyEvents, type TimedEvents, trafficAccounts } from './traffic.ts';

export interface HistoryOptions {
  readonly events: number;
  /** Default: the product's. */
  readonly segmentRows?: number;
  readonly accounts?: number;
  /** Changes the text of a record; default: as generated. */
  readonly changed?: (text: string) => string;
}

const BATCH = 500;

/** The product's writer on a file that no manager has open. */
export function openWriter(path: string, segmentRows?: number): Store {
  prepareStore(path, { now: Date.now, tempDirectory: dirname(path) });
  return openStore({
    path,
    hourlyRollup: true,
    now: Date.now,
    log: { info: () => {}, error: (text) => console.error(text) },
    ...(segmentRows === undefined ? {} : { segmentRows }),
  });
}

/** The next records of generated traffic, as the collector passes them on. */
export function nextBatch({ events, nowMs }: TimedEvents, records = BATCH): IngestRecord[] {
  return Array.from({ length: records }, () => ({ text: events.next().value.text, receivedAtMs: nowMs() }));
}

/** A new database with a history of this many events, written and sealed as the product does. */
export async function writeHistory(path: string, options: HistoryOptions): Promise<void> {
  const { events, segmentRows, accounts, changed = (text: string) => text } = options;
  const store = openWriter(path, segmentRows);
  const traffic = trafficAccounts(accounts);
  const history = historyEvents(events, 1, traffic);
  let snapshots: { snapshots?: ReturnType<typeof accountSnapshots> } = {
    snapshots: accountSnapshots(traffic, Date.now()),
  };
  let records = nextBatch(history, Math.min(BATCH, events));
  for (let made = records.length; records.length > 0; made += records.length) {
    const sent = records.map((record) => ({ ...record, text: changed(record.text) }));
    const writing = store.writer.run('ingest', { records: sent, ...snapshots });
    snapshots = {};
    records = nextBatch(history, Math.min(BATCH, events - made));
    await writing;
  }
  await store.close();
}
