import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { createWordMirror } from '../../../../events/detail/word-mirror.ts';
import { createEventPacker } from '../../../../events/ingest/event-packer.ts';
import { IMPORT_BATCH_EVENTS } from '../../../../events/ingest/import-events.ts';
import { unpack } from '../../../../events/ingest/packed-events.ts';
import { TEST_NOW_MS } from '../../../../events/testing/test-ingester.ts';
import { sha256Hex } from '../../../../platform/sha256.ts';
import { createTestFolder } from '../../../../platform/testing/test-folder.ts';
import { linesOf } from '../testing.ts';
import { createBatchReader } from './batches.ts';
import { openFileInput } from './file-input.ts';
import { readPayload } from './payload.ts';

test('an event that cannot be packed counts as failed, and its neighbours are stored', () => {
  const folder = createTestFolder();
  writeFileSync(folder.path('payload'), linesOf(5));
  const packer = createEventPacker(createWordMirror(), IMPORT_BATCH_EVENTS);
  const failing = {
    ...packer,
    get count() {
      return packer.count;
    },
    add(...[event, about]: Parameters<typeof packer.add>) {
      if (event.event_hash === 'event 2') throw new RangeError('as the test wants');
      packer.add(event, about);
    },
  };
  const input = openFileInput(folder.path('payload'));
  const reader = createBatchReader(readPayload(input), failing, () => ({ nowMs: TEST_NOW_MS, sha256Hex }));
  const { batch, state, failed, failures } = reader.next();
  input.close();
  folder.dispose();
  expect({ state, failed, failures }).toEqual({ state: 'done', failed: 1, failures: [] });
  const next = batch === null ? () => null : unpack(batch);
  expect([next(), next(), next(), next(), next()].map((event) => event?.key)).toEqual([
    'event 0',
    'event 1',
    'event 3',
    'event 4',
    undefined,
  ]);
});
