import { afterAll, expect, test } from 'bun:test';
import { IMPORT_PREFIX_HEADER } from '@manager/core/contract/transfer/import-sessions';
import { makeEvents } from '@manager/simulator';
import { checkStored } from '../support/after-crash.ts';
import { ImportSessions } from '../support/import-session.ts';
import { ManagerProcess } from '../support/manager-process.ts';

// The full size is 2 GB: MANAGER_FULL_FAULTS=1.
const FULL = process.env.MANAGER_FULL_FAULTS === '1';
const SIZE_BYTES = FULL ? 2_000_000_000 : 200_000_000;
const CHUNK_BYTES = 4 * 2 ** 20;
/** Ordinary records take less than 250 MB; a record of 10 MB exists several times in successive threads. */
const RESIDENT_LIMIT_BYTES = 400 * 2 ** 20;
const RECORD_LIMIT_BYTES = 10_485_760;

const DISTINCT = 2_000;

let manager: ManagerProcess | null = null;
afterAll(() => manager?.remove());

/** A record with a long text; its whole line has this many bytes. */
function padded(text: string, bytes: number): Uint8Array {
  return Buffer.from(`${text.slice(0, -1)},"padding":"${'x'.repeat(bytes - text.length - 13)}"}`);
}

/** The same events repeated, records of the largest allowed size, and much white space. */
function* parts(): Generator<Uint8Array> {
  const events = makeEvents({ seed: 8, numberFrom: 0 }).take(DISTINCT);
  const [first, second] = makeEvents({ seed: 9, numberFrom: DISTINCT }).take(2);
  const lines = Buffer.from(events.map(({ text }) => `${text}\n`).join(''));
  const large = Buffer.concat([padded(first?.text ?? '', 9_900_000), Buffer.from('\n')]);
  const blank = Buffer.alloc(60_000_000, `${' '.repeat(498)}\r\n`);
  const largest = Buffer.concat([padded(second?.text ?? '', RECORD_LIMIT_BYTES), Buffer.from('\r\n')]);
  yield largest;
  let left = SIZE_BYTES - largest.length;
  for (;;) {
    for (const part of [lines, large, blank]) {
      if (part.length > left) return yield Buffer.alloc(left, '\n');
      left -= part.length;
      yield part;
    }
  }
}

/** The file in chunks, each with the digest of everything before it. Only one chunk is in memory. */
function* chunks(): Generator<{ offset: number; bytes: Uint8Array; before: string }> {
  const hasher = new Bun.CryptoHasher('sha256');
  const chunk = new Uint8Array(CHUNK_BYTES);
  let filled = 0;
  let offset = 0;
  const next = () => {
    const bytes = chunk.slice(0, filled);
    const before = hasher.copy().digest('hex');
    hasher.update(bytes);
    const found = { offset, bytes, before };
    offset += filled;
    filled = 0;
    return found;
  };
  for (const part of parts()) {
    for (let at = 0; at < part.length; ) {
      const piece = part.subarray(at, at + CHUNK_BYTES - filled);
      chunk.set(piece, filled);
      filled += piece.length;
      at += piece.length;
      if (filled === CHUNK_BYTES) yield next();
    }
  }
  if (filled > 0) yield next();
}

/** Durations of `/health` in milliseconds, ascending. */
function watchHealth(url: string): { stop(): Promise<number[]> } {
  const took: number[] = [];
  let running = true;
  const watching = (async () => {
    while (running) {
      const begun = performance.now();
      await fetch(`${url}/health`);
      took.push(performance.now() - begun);
      await Bun.sleep(20);
    }
  })();
  return {
    async stop() {
      running = false;
      await watching;
      return took.toSorted((left, right) => left - right);
    },
  };
}

test(`a file of ${SIZE_BYTES / 1e6} MB is imported in little memory, while the server answers`, async () => {
  const env = { USAGE_IMPORT_CHUNK_BYTES: String(CHUNK_BYTES) };
  manager = await ManagerProcess.start({ env });
  const sessions = new ImportSessions(manager);
  const health = watchHealth(manager.url);
  const begun = performance.now();
  const { id } = await sessions.create(SIZE_BYTES);
  for (const { offset, bytes, before } of chunks()) {
    const headers = { [IMPORT_PREFIX_HEADER]: before };
    const answer = await sessions.call('PUT', `/${id}/chunk?offset=${offset}`, { body: bytes, headers });
    expect(answer.status).toBe(200);
  }
  const sentMs = performance.now() - begun;
  const sentPeak = manager.peakResidentBytes();
  expect((await sessions.complete(id)).status).toBe(202);
  const ended = await sessions.ended(id, 600_000);
  const tookMs = performance.now() - begun;
  const waits = await health.stop();
  const slow = waits[Math.floor(waits.length * 0.99)] ?? 0;
  const peak = manager.peakResidentBytes();
  const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  console.log(
    `sent in ${Math.round(sentMs)} ms (peak ${megabytes(sentPeak)} MB), imported in ${Math.round(tookMs - sentMs)} ms ` +
      `(peak ${megabytes(peak)} MB); /health p99 ${Math.round(slow)} ms, most ${Math.round(waits.at(-1) ?? 0)} ms`,
  );

  expect(ended).toMatchObject({ status: 'completed', result: { added: DISTINCT + 2, failed: 0 } });
  expect(peak).toBeLessThan(RESIDENT_LIMIT_BYTES);
  // Other tests use the same machine.
  expect(slow).toBeLessThan(1_000);
  await manager.stop();
  expect(checkStored(manager.dataDir)).toBe(DISTINCT + 2);
}, 900_000);
