import { expect, test } from 'bun:test';
import { createDataMigrations, type DataMigrationDeps } from './runner.ts';
import {
  CACHE_ACCOUNTING,
  type DataMigrationState,
  type DataMigrationStatus,
  RECEIVED_TIMES,
  RESPONSE_METADATA,
  STORED_EVENT_RULES,
} from './state.ts';
import type { StepOutcome } from './step.ts';

const STATE: DataMigrationState = {
  status: 'running',
  lastEventId: 0,
  targetEventId: 9,
  processedRows: 9,
  changedRows: 4,
  appliedRows: 0,
  startedAtMs: 1,
  updatedAtMs: 1,
  finishedAtMs: 0,
};

const WORDS: ReadonlyMap<string, string> = new Map([
  [CACHE_ACCOUNTING, 'accounting'],
  [RESPONSE_METADATA, 'metadata'],
  [STORED_EVENT_RULES, 'rules'],
  [RECEIVED_TIMES, 'received'],
]);

function step(status: DataMigrationStatus, isFirst = false): StepOutcome {
  return { kind: 'step', isFirst, state: { ...STATE, status } };
}

/** Plays the outcomes of each job; every call adds one word to the journal. */
function start(outcomes: Readonly<Record<string, (StepOutcome | Error)[]>>, more: Partial<DataMigrationDeps> = {}) {
  const journal: string[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  createDataMigrations({
    step: async (name) => {
      const outcome = outcomes[name]?.shift() ?? { kind: 'done' };
      journal.push(`${WORDS.get(name)} ${'kind' in outcome ? outcome.kind : 'throws'}`);
      if (outcome instanceof Error) throw outcome;
      if (name === RECEIVED_TIMES && outcome.kind === 'done') setTimeout(end);
      return outcome;
    },
    sealOldest: async (rows) => {
      journal.push(`seal ${rows}`);
      return true;
    },
    onAccountingCompleted: () => void journal.push('accounting is over'),
    log: { info: (text) => void journal.push(text), warn: (text) => void journal.push(text) },
    wait: async (ms, signal) => {
      journal.push(`wait ${ms}`);
      signal.throwIfAborted();
    },
    ...more,
  }).start();
  return { journal, ended };
}

test('one job after the other; work that waits for the first continues before the second', async () => {
  const { journal, ended } = start({
    [CACHE_ACCOUNTING]: [step('pending', true), { kind: 'seal', rows: 70 }, step('completed')],
    [RESPONSE_METADATA]: [step('completed', true)],
  });
  await ended;
  expect(journal).toEqual([
    'accounting step',
    'cache accounting of stored events: checking events of an earlier version',
    'wait 200',
    'accounting seal',
    'seal 70',
    'wait 200',
    'accounting step',
    'cache accounting of stored events: changed 4 of 9 events',
    'wait 200',
    'accounting done',
    'accounting is over',
    'metadata step',
    'response metadata of stored events: checking events of an earlier version',
    'response metadata of stored events: changed 4 of 9 events',
    'wait 100',
    'metadata done',
    'rules done',
    'received done',
  ]);
});

test('a new database asks once for each job and logs nothing', async () => {
  const { journal, ended } = start({});
  await ended;
  expect(journal).toEqual(['accounting done', 'accounting is over', 'metadata done', 'rules done', 'received done']);
});

test('a failure is retried after five seconds, and logged once', async () => {
  const failed: StepOutcome = { kind: 'failed', error: 'database or disk is full' };
  const { journal, ended } = start({
    [CACHE_ACCOUNTING]: [failed, failed, new Error('unknown status'), step('completed')],
  });
  await ended;
  expect(journal.slice(0, 8)).toEqual([
    'accounting failed',
    'cache accounting of stored events: database or disk is full; retrying',
    'wait 5000',
    'accounting failed',
    'wait 5000',
    'accounting throws',
    'cache accounting of stored events: unknown status; retrying',
    'wait 5000',
  ]);
  expect(journal.at(-1)).toBe('received done');
});

test('a failed seal is a failed step', async () => {
  const { journal, ended } = start(
    { [CACHE_ACCOUNTING]: [{ kind: 'seal', rows: 1 }] },
    { sealOldest: () => Promise.reject(new Error('disk I/O error')) },
  );
  await ended;
  expect(journal.slice(0, 3)).toEqual([
    'accounting seal',
    'cache accounting of stored events: disk I/O error; retrying',
    'wait 5000',
  ]);
});
