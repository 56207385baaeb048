import { createWordMirror } from '../../../../events/detail/word-mirror.ts';
import { createEventPacker } from '../../../../events/ingest/event-packer.ts';
import { IMPORT_BATCH_EVENTS } from '../../../../events/ingest/import-events.ts';
import { unpack } from '../../../../events/ingest/packed-events.ts';
import { sha256Hex } from '../../../../platform/sha256.ts';
import { createBatchReader } from './batches.ts';
import { openFileInput } from './file-input.ts';
import { readPayload } from './payload.ts';

/** Reads a file and prints the number of events and the peak memory. */
const input = openFileInput(process.argv[2] ?? '');
const packer = createEventPacker(createWordMirror(), IMPORT_BATCH_EVENTS);
const reader = createBatchReader(readPayload(input), packer, () => ({ nowMs: Date.now(), sha256Hex }));
let events = 0;
let residentBytes = 0;
for (;;) {
  const { batch, state } = reader.next();
  const next = batch === null ? () => null : unpack(batch);
  while (next() !== null) events += 1;
  residentBytes = Math.max(residentBytes, process.memoryUsage.rss());
  if (state !== 'more') break;
}
input.close();
console.log(JSON.stringify({ events, residentBytes }));
