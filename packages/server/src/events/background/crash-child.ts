// A process that runs the data migrations until it is killed at a given point; started by `crash.test.ts`.
import { sealTail } from '../../facts/seal.ts';
import { sampleRecords } from '../testing/sample-records.ts';
import { TEST_NOW_MS } from '../testing/test-ingester.ts';
import { CACHE_ACCOUNTING, SINGLE_PASSES } from './state.ts';
import { stepDataMigration } from './step.ts';
import { openContext } from './testing/older-database.ts';

/** The number of steps to commit, and the statement at which the process then dies; `commit` = right after a commit. */
const [path = '', committed = '0', statement = 'commit', seed = '1'] = process.argv.slice(2);

const context = openContext(path);
const { db } = context;
let stepsLeft = Number(committed);

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('still alive');
}

const record = sampleRecords({ seed: Number(seed) });
const texts = Array.from({ length: 7 }, () => ({ text: record(), receivedAtMs: TEST_NOW_MS }));
context.ingester.ingest({ records: texts });

if (statement !== 'commit') {
  db.function('die_here', () => (stepsLeft > 0 ? 0 : die()));
  db.run(`CREATE TEMP TRIGGER dying AFTER ${statement} BEGIN SELECT die_here(); END`);
}
for (const name of [CACHE_ACCOUNTING, ...SINGLE_PASSES]) {
  for (let isDone = false; !isDone; ) {
    if (stepsLeft === 0 && statement === 'commit') die();
    const outcome = stepDataMigration(context, name);
    if (outcome.kind === 'failed') throw new Error(outcome.error);
    if (outcome.kind === 'seal') sealTail(context, outcome.rows);
    isDone = outcome.kind === 'done';
    if (!isDone) stepsLeft -= 1;
  }
}
console.log('completed');
