import { join } from 'node:path';
import { until, untilStill } from '@manager/core/testing/until';
import { openDatabase } from '@manager/server/sqlite/open';
import type { GeneratedEvent, Simulator } from '@manager/simulator';
import type { ManagerProcess } from './manager-process.ts';
import { readStatus } from './status.ts';

/**
 * Waits until a manager has stored all that its gateway handed over: one more event, with the next number, has come behind the others,
 * and nothing is left in the spool file. An unchanged number of events alone says nothing while a commit takes long.
 */
export async function allStored(manager: ManagerProcess, gateway: Simulator, last: GeneratedEvent): Promise<void> {
  await until(() => {
    const { queued, buffered } = gateway.deliveries();
    return queued + buffered === 0;
  }, 'the queue to be drained');
  await gateway.publish(last);
  await until(async () => isStored(manager.dataDir, last.number ?? 0), 'the last event');
  await until(async () => (await readStatus(manager)).collector.spooledRecords === 0, 'an empty spool file');
  await untilStill(async () => (await readStatus(manager)).events);
}

function isStored(dataDir: string, number: number): boolean {
  const db = openDatabase(join(dataDir, 'usage.sqlite'), { readonly: true });
  try {
    const id = number.toString(16).padStart(8, '0');
    return db.query('SELECT 1 FROM facts_tail WHERE request_id = ?').get(id) !== null;
  } finally {
    db.close();
  }
}
