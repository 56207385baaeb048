import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { IMPORT_PREFIX_HEADER, type ImportSessionResponse } from '@manager/core/contract/transfer/import-sessions';
import { ImportSessions } from './import-session.ts';
import type { ManagerProcess } from './manager-process.ts';

const EXPORT_PATH = '/v0/management/usage/export';
const IMPORT_PATH = '/v0/management/usage/import';
const NEWLINE = 10;
/** Longer than any import takes. */
const IMPORT_PATIENCE_MS = 3 * 3_600_000;

export type ImportResult = NonNullable<ImportSessionResponse['result']>;

export interface Exported {
  readonly lines: number;
  readonly bytes: number;
}

/** Reads a whole export at full speed. */
export async function streamExport(
  manager: ManagerProcess,
  take: (chunk: Uint8Array) => void = () => {},
): Promise<Exported> {
  const answer = await manager.fetch(EXPORT_PATH);
  if (!answer.ok) throw new Error(`export: ${answer.status} ${await answer.text()}`);
  let [lines, bytes] = [0, 0];
  for await (const chunk of answer.body ?? []) {
    take(chunk);
    bytes += chunk.byteLength;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
  }
  return { lines, bytes };
}

/** Writes an export to a file, or appends it. */
export async function exportInto(manager: ManagerProcess, path: string, append = false): Promise<Exported> {
  const file = openSync(path, append ? 'a' : 'w');
  try {
    return await streamExport(manager, (chunk) => writeSync(file, chunk));
  } finally {
    closeSync(file);
  }
}

export interface ImportedFile {
  readonly result: ImportResult;
  readonly uploadSeconds: number;
  readonly processingSeconds: number;
}

/** The whole file by a resumable session, in the largest chunks the server accepts. */
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

/** One request, for small bodies. */
export async function importAtOnce(manager: ManagerProcess, body: Uint8Array<ArrayBuffer>): Promise<ImportResult> {
  return manager.json<ImportResult>(IMPORT_PATH, { method: 'POST', body });
}
