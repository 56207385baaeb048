import { endOfSpace } from '@manager/core/json/space';
import { detectImportFormat, type ImportFormat } from '@manager/core/usage/import-record';
import { readElements } from './elements.ts';
import { fileProblem, HEAD_BYTES } from './file-problem.ts';
import { Cursor, type NeedsInput, type PayloadInput } from './input.ts';
import { JsonScanner } from './json-scanner.ts';
import { countLineFeeds, type RecordBytes, readLines } from './lines.ts';
import type { ReadItem } from './payload-item.ts';
import { MAX_RECORD_BYTES, PayloadRefused, recordTooLarge } from './refused.ts';
import { readSnapshot } from './snapshot.ts';
import { SnapshotIndex } from './snapshot-index.ts';

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;

/**
 * Reads a payload of any accepted format, in memory that does not grow with its size. Yields `NEEDS_INPUT` when the input must
 * be fed first.
 *
 * @throws PayloadRefused when nothing after it can be used.
 */
export function* readPayload(input: PayloadInput): Generator<ReadItem, void> {
  const cursor = new Cursor(input);
  yield* skipByteOrderMark(cursor);
  const line = yield* skipBlank(cursor, 1);
  if (line === null) throw new PayloadRefused('the payload is empty');
  switch (cursor.bytes[cursor.at]) {
    case OPEN_LIST:
      yield { kind: 'format', format: 'usage_service_jsonl' };
      yield* records(readElements(cursor, line));
      if ((yield* skipBlank(cursor, line)) !== null)
        throw new PayloadRefused('unexpected content after the list of events');
      return;
    case OPEN_OBJECT:
      yield* readObjectFirst(cursor, input, line);
      return;
    default:
      yield { kind: 'format', format: 'usage_service_jsonl' };
      yield* records(readLines(cursor, line));
  }
}

function* records(source: Generator<NeedsInput | RecordBytes, unknown>): Generator<ReadItem, void> {
  for (const found of source) yield typeof found === 'symbol' ? found : { kind: 'record', ...found };
}

/** The first object decides: a record, followed by more lines, or a snapshot, followed by nothing. */
function* readObjectFirst(cursor: Cursor, input: PayloadInput, line: number): Generator<ReadItem, void> {
  input.mark(cursor.unread);
  const index = new SnapshotIndex();
  const scanner = new JsonScanner(index);
  let outcome: ReturnType<JsonScanner['feed']> = 'open';
  while (outcome === 'open' && (yield* cursor.fill())) {
    const before = scanner.length;
    outcome = scanner.feed(cursor.bytes, cursor.at);
    cursor.at += scanner.length - before;
  }
  const { skeleton, wrapped, direct, fault } = index.outline();
  const detected = detectImportFormat(skeleton);
  if (detected.kind === 'snapshot') {
    yield { kind: 'format', format: detected.format };
    if (outcome !== 'complete') throw new PayloadRefused('the usage snapshot is cut off or not valid JSON');
    if (fault !== '') throw new PayloadRefused(fault);
    if ((yield* skipBlank(cursor, line)) !== null)
      throw new PayloadRefused('unexpected content after the usage snapshot');
    yield* readSnapshot(input, detected.format === 'legacy_usage_export' ? wrapped : direct);
    return;
  }
  if (outcome === 'complete' && detected.kind === 'aggregates_only') throw aggregatesOnly(detected.format, 1);
  yield { kind: 'format', format: 'usage_service_jsonl' };
  let nextLine = line;
  if (outcome === 'complete') {
    if (scanner.length > MAX_RECORD_BYTES) throw recordTooLarge(`line ${line}`);
    const bytes = new Uint8Array(scanner.length);
    readFully(input, bytes);
    yield { kind: 'record', bytes, line };
    nextLine += countLineFeeds(bytes);
    input.rewind(scanner.length);
  } else {
    // Only the first line is broken, not the whole payload.
    input.rewind(0);
  }
  cursor.restart();
  yield* records(readLines(cursor, nextLine));
}

export function aggregatesOnly(format: ImportFormat, unsupported: number): PayloadRefused {
  return new PayloadRefused(
    'aggregates only: the file holds totals without single requests; export single events instead',
    {
      format,
      unsupported,
    },
  );
}

function readFully(input: PayloadInput, target: Uint8Array): void {
  let done = 0;
  while (done < target.length) {
    const found = input.readAt(done, target.subarray(done));
    if (found === 0) throw new Error('the file became shorter while it was read');
    done += found;
  }
}

/** Skips a byte order mark, and refuses files of another form. */
function* skipByteOrderMark(cursor: Cursor): Generator<NeedsInput, void> {
  if (!(yield* cursor.fill())) return;
  // The first chunk of a stream may be shorter.
  if (cursor.bytes.length < HEAD_BYTES) yield* cursor.extend(HEAD_BYTES);
  const problem = fileProblem(cursor.bytes.subarray(0, HEAD_BYTES));
  if (problem !== null) throw new PayloadRefused(problem);
  if (BYTE_ORDER_MARK.every((byte, index) => cursor.bytes[index] === byte)) cursor.at += 3;
}

/** Skips white space. Returns the line of the next byte, `null` at the end. */
function* skipBlank(cursor: Cursor, firstLine: number): Generator<NeedsInput, number | null> {
  let line = firstLine;
  while (yield* cursor.fill()) {
    const end = endOfSpace(cursor.bytes, cursor.at);
    line += countLineFeeds(cursor.bytes.subarray(cursor.at, end));
    cursor.at = end;
    if (end < cursor.bytes.length) return line;
  }
  return null;
}
