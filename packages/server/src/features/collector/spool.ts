import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat, truncate, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { spoolLines } from './spool-lines.ts';

export const SPOOL_FILE = 'collector-spool.jsonl';
/** Replayed bytes at the front of the file from which on it is cut. */
const CUT_BYTES = 64 * 1024 * 1024;
const COPY_BYTES = 1024 * 1024;
const { O_APPEND, O_CREAT, O_WRONLY } = constants;
/** Opening a pipe for writing would wait for its reader; not on every platform. */
const NO_WAIT = constants.O_NONBLOCK ?? 0;

export interface Spool {
  /** Reads the file of an earlier process: counts its records and cuts off an incomplete last line. @throws what is wrong with it */
  open(): Promise<void>;
  /** Records waiting in the file. */
  size(): number;
  /** Appends all records or none; synced to disk when it resolves. @throws the error of the file system */
  append(texts: readonly string[]): Promise<void>;
  /** The next records in order, without removing them. Empty when there are none. */
  peek(maxRecords: number, maxBytes: number): Promise<readonly string[]>;
  /** Removes the records of the last `peek`; the file is deleted with the last one, and cut when little of it is left. */
  drop(): Promise<void>;
  /** Stores a sign of life as the time of the file, for when the database is unavailable. */
  touch(nowMs: number): Promise<void>;
  /** That time, null when there is no file. */
  touchedAtMs(): Promise<number | null>;
  /** Removes a file without records, which holds only a time. */
  removeEmpty(): Promise<void>;
}

function notAFile(path: string): Error {
  return new Error(`${path} is not a regular file; remove it`);
}

/**
 * Raw records that do not fit into memory while the database is unavailable: one JSON string per line. An incomplete line after
 * a crash is cut off; its record was never acknowledged.
 */
export function createSpool(path: string, { cutBytes = CUT_BYTES }: { readonly cutBytes?: number } = {}): Spool {
  const copyPath = `${path}.part`;
  let records = 0;
  /** Bytes of complete lines in the file, and how many of them were replayed. */
  let endAt = 0;
  let readAt = 0;
  let peeked: { readonly records: number; readonly bytes: number } | null = null;
  let touched = false;
  let queue: Promise<unknown> = Promise.resolve();

  /** Whatever changes the file. Only `peek` reads beside an append, never beside a `drop` by the same caller. */
  function exclusive<T>(action: () => Promise<T>): Promise<T> {
    const result = queue.then(action, action);
    queue = result.catch(() => {});
    return result;
  }

  function reset(): void {
    records = 0;
    endAt = 0;
    readAt = 0;
    peeked = null;
    touched = false;
  }

  async function remove(): Promise<void> {
    await rm(path, { force: true });
    reset();
  }

  /** Under load the file may never be empty. A crash leaves the old one, whose replayed records are known and skipped. */
  async function cut(): Promise<void> {
    try {
      await copyRest();
      await rename(copyPath, path);
    } catch {
      // The disk is full, for example: the next replay tries again.
      await rm(copyPath, { force: true });
      return;
    }
    endAt -= readAt;
    readAt = 0;
  }

  async function copyRest(): Promise<void> {
    await using from = await open(path, 'r');
    await using to = await open(copyPath, 'w', 0o600);
    const chunk = new Uint8Array(COPY_BYTES);
    for (let at = readAt; at < endAt; ) {
      const { bytesRead } = await from.read(chunk, 0, Math.min(chunk.length, endAt - at), at);
      if (bytesRead === 0) throw new Error('the spool file is shorter than it was');
      await to.writeFile(chunk.subarray(0, bytesRead));
      at += bytesRead;
    }
    await to.datasync();
  }

  async function openToAppend(): Promise<FileHandle> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, O_WRONLY | O_APPEND | O_CREAT | NO_WAIT, 0o600);
    if ((await file.stat()).isFile()) return file;
    await file.close();
    throw notAFile(path);
  }

  return {
    size: () => records,
    open: () =>
      exclusive(async () => {
        reset();
        await rm(copyPath, { force: true });
        const info = await stat(path).catch(() => null);
        if (info === null) return;
        if (!info.isFile()) throw notAFile(path);
        for await (const line of spoolLines(path, 0, info.size)) {
          if (!line.whole) break;
          endAt += line.bytes;
          records += 1;
        }
        if (records === 0) return remove();
        if (endAt < info.size) await truncate(path, endAt);
      }),
    append: (texts) =>
      exclusive(async () => {
        const file = await openToAppend();
        const bytes = Buffer.from(texts.map((text) => `${JSON.stringify(text)}\n`).join(''));
        try {
          // Leftovers of an earlier failure after the last complete line must not be joined to this one.
          if ((await file.stat()).size !== endAt) await file.truncate(endAt);
          await file.appendFile(bytes);
          await file.datasync();
          endAt += bytes.length;
          records += texts.length;
        } catch (error) {
          // A full disk leaves a part of the last line.
          await file.truncate(endAt).catch(() => {});
          throw error;
        } finally {
          await file.close();
        }
      }),
    async peek(maxRecords, maxBytes) {
      if (records === 0) return [];
      const texts: string[] = [];
      let bytes = 0;
      // What is in the file stays as it is, so appends do not wait.
      for await (const line of spoolLines(path, readAt, endAt)) {
        bytes += line.bytes;
        texts.push(line.text);
        if (texts.length >= maxRecords || bytes >= maxBytes) break;
      }
      peeked = { records: texts.length, bytes };
      if (texts.length === 0) await exclusive(remove);
      return texts;
    },
    drop: () =>
      exclusive(async () => {
        if (peeked === null) return;
        records = Math.max(records - peeked.records, 0);
        readAt += peeked.bytes;
        peeked = null;
        if (readAt >= endAt) await remove();
        else if (readAt >= cutBytes && endAt - readAt <= readAt / 4) await cut();
      }),
    touch: (nowMs) =>
      exclusive(async () => {
        await (await openToAppend()).close();
        await utimes(path, nowMs / 1000, nowMs / 1000);
        touched = true;
      }),
    touchedAtMs: () =>
      exclusive(async () => {
        const info = await stat(path).catch(() => null);
        return info?.isFile() === true ? Math.ceil(info.mtimeMs) : null;
      }),
    removeEmpty: () =>
      exclusive(async () => {
        if (touched && records === 0) await remove();
      }),
  };
}
