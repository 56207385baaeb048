import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { SelectedRows } from '../rows.ts';
import { feedMore, type NumberRows } from '../testing/selected-rows.ts';
import { distinctTasksSection } from './distinct-tasks.ts';

interface Call {
  readonly time: number;
  /** Distinguishes tasks of one instant. */
  readonly task: number;
  readonly failed: boolean;
}

function chunkOf(calls: readonly Call[]): NumberRows {
  return {
    timestamp_ms: calls.map(({ time }) => time),
    flags: calls.map(({ failed }) => (failed ? 1 : 0) + 2),
    // Equal halves, so that each of them must be compared.
    task_key_high: calls.map(({ time, task }) => (time * 2 + (task & 1)) >>> 0),
    task_key_low: calls.map(({ task }) => 0xffff_ff00 + (task >> 1)),
  };
}

function recount(calls: readonly Call[]) {
  const name = ({ time, task }: Call) => `${time} ${task}`;
  return {
    tasks: new Set(calls.map(name)).size,
    failedTasks: new Set(calls.filter(({ failed }) => failed).map(name)).size,
  };
}

const call: fc.Arbitrary<Call> = fc.record({
  time: fc.oneof({ weight: 20, arbitrary: fc.integer({ min: 0, max: 30 }) }, fc.constantFrom(-5, 9_000)),
  task: fc.integer({ min: 0, max: 3 }),
  failed: fc.boolean(),
});

test('tasks are counted once, whatever chunks their requests are in and wherever a count was cached', () => {
  const chunks = fc.array(fc.array(call, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(chunks, fc.nat(), (lists, pick) => {
      const section = distinctTasksSection();
      const fed: SelectedRows[] = [];
      let state = section.create();
      for (const [index, list] of lists.entries()) {
        if (index === pick % lists.length) state = section.clone(state);
        feedMore(section, state, chunkOf(list), fed);
        expect(state).toEqual(recount(lists.slice(0, index + 1).flat()));
      }
    }),
    { numRuns: 300 },
  );
});
