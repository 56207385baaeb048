import { sha256Hex } from '../../../../platform/sha256.ts';
import { createBatchReader } from './batches.ts';
import { openFileInput } from './file-input.ts';
import { readPayload } from './payload.ts';

/** Reads a file and prints the number of events and the peak memory. */
const input = openFileInput(process.argv[2] ?? '');
const reader = createBatchReader(readPayload(input), () => ({ nowMs: Date.now(), sha256Hex }));
let events = 0;
let residentBytes = 0;
for (;;) {
  const { batch, state } = reader.next();
  if (batch !== null) events += JSON.parse(new TextDecoder().decode(batch)).length;
  residentBytes = Math.max(residentBytes, process.memoryUsage.rss());
  if (state !== 'more') break;
}
input.close();
console.log(JSON.stringify({ events, residentBytes }));
