import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { IMPORT_PREFIX_HEADER, type ImportSessionResponse } from '@manager/core/contract/transfer/import-sessions';
import { ImportSessions } from '../../test/support/import-session.ts';
import type { ManagerProcess } from '../../test/support/manager-process.ts';

const EXPORT_PATH = '/v0/management/usage/export';
const IMPORT_PATH = '/v0/management/usage/import';
const NEWLINE = 10;
const READ_BYTES = 2 ** 20;
/** An import of any size is over by then. */
const IMPORT_PATIENCE_MS = 3 * 3_600_000;

type ImportResult = NonNullable<ImportSessionResponse['result']>;
type ImportCounts = Pick<ImportResult, 'added' | 'skipped' | 'failed' | 'unsupported'>;

export interface ExportedFile {
  readonly lines: number;
  readonly bytes: number;
  readonly seconds: number;
}

/** Writes an export into a file, behind what is in it already when `append` is set. */
export async function exportInto(manager: ManagerProcess, path: string, append = false): Promise<ExportedFile> {
  const startedMs = performance.now();
  const answer = await manager.fetch(EXPORT_PATH);
  if (!answer.ok) throw new Error(`export: ${answer.status} ${await answer.text()}`);
  const file = openSync(path, append ? 'a' : 'w');
  let [lines, bytes] = [0, 0];
  try {
    for await (const chunk of answer.body ?? []) {
      writeSync(file, chunk);
      bytes += chunk.byteLength;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
    }
  } finally {
    closeSync(file);
  }
  return { lines, bytes, seconds: (performance.now() - startedMs) / 1000 };
}

/** @throws Error that names the first line that differs, and how. */
export function requireSameFiles(what: string, path: string, expectedPath: string): void {
  const [file, expectedFile] = [openSync(path, 'r'), openSync(expectedPath, 'r')];
  const buffers = [Buffer.alloc(READ_BYTES), Buffer.alloc(READ_BYTES)] as const;
  let line = 1;
  try {
    for (;;) {
      const found = readFully(file, buffers[0]);
      const expected = readFully(expectedFile, buffers[1]);
      const same = found.equals(expected);
      if (same && found.length === 0) return;
      const at = same ? found.length : differsAt(found, expected);
      for (let end = found.indexOf(NEWLINE); end >= 0 && end < at; end = found.indexOf(NEWLINE, end + 1)) line += 1;
      if (same) continue;
      const around = (text: Buffer) => text.toString('utf8', Math.max(at - 60, 0), at + 40);
      throw new Error(`${what}: line ${line} differs, ${around(found)} instead of ${around(expected)}`);
    }
  } finally {
    closeSync(file);
    closeSync(expectedFile);
  }
}

/** The next bytes of the file: as many as the buffer takes, fewer only at the end. */
function readFully(file: number, buffer: Buffer): Buffer {
  let filled = 0;
  for (;;) {
    const bytes = readSync(file, buffer, filled, buffer.length - filled, null);
    filled += bytes;
    if (bytes === 0 || filled === buffer.length) return buffer.subarray(0, filled);
  }
}

function differsAt(left: Buffer, right: Buffer): number {
  const at = left.findIndex((byte, index) => byte !== right[index]);
  return at < 0 ? left.length : at;
}

export interface ImportedFile {
  readonly result: ImportResult;
  readonly uploadSeconds: number;
  readonly processingSeconds: number;
}

/** The whole file by a resumable session, in chunks as large as the server takes them. */
export async function importBySession(manager: ManagerProcess, path: string): Promise<ImportedFile> {
  const startedMs = performance.now();
  const sessions = new ImportSessions(manager);
  const file = Bun.file(path);
  const size = statSync(path).size;
  const { id, chunk_size_bytes } = await sessions.create(size);
  const hasher = new Bun.CryptoHasher('sha256');
  for (let offset = 0; offset < size; offset += chunk_size_bytes) {
    const body = await file.slice(offset, offset + chunk_size_bytes).bytes();
    const headers = { [IMPORT_PREFIX_HEADER]: hasher.copy().digest('hex') };
    const { status, code } = await sessions.call('PUT', `/${id}/chunk?offset=${offset}`, { body, headers });
    if (status !== 200) throw new Error(`the chunk at ${offset} was refused: ${status} ${code}`);
    hasher.update(body);
  }
  const uploadedMs = performance.now();
  const completed = await sessions.complete(id);
  if (completed.status !== 202) throw new Error(`complete: ${completed.status} ${completed.code}`);
  const ended = await sessions.ended(id, IMPORT_PATIENCE_MS);
  if (ended.status !== 'completed' || ended.result === undefined)
    throw new Error(`the import ended as ${ended.status}: ${ended.error ?? 'no reason given'}`);
  return {
    result: ended.result,
    uploadSeconds: (uploadedMs - startedMs) / 1000,
    processingSeconds: (performance.now() - uploadedMs) / 1000,
  };
}

/** One request, for what is small enough. */
export async function importAtOnce(manager: ManagerProcess, body: Uint8Array<ArrayBuffer>): Promise<ImportResult> {
  return manager.json<ImportResult>(IMPORT_PATH, { method: 'POST', body });
}

/** @throws Error unless so many records became events, and so many were known. */
export function requireImported(what: string, result: ImportCounts, added: number, skipped: number): void {
  const { failed, unsupported } = result;
  if (result.added === added && result.skipped === skipped && failed === 0 && unsupported === 0) return;
  throw new Error(
    `${what}: ${result.added} added, ${result.skipped} skipped, ${failed} failed, ${unsupported} unsupported ` +
      `instead of ${added} added and ${skipped} skipped`,
  );
}
