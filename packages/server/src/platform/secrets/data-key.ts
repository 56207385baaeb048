import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { readSmallFile, SmallFileError } from '../config/bounded-file.ts';
import { keyTextProblem } from '../config/key-text.ts';
import { accessDetail } from '../files/access-problem.ts';
import { syncDirectory } from '../files/sync-directory.ts';
import type { RandomBytes } from './admin-key.ts';
import { fromBase64, toBase64 } from './base64.ts';
import { deriveDataKey } from './envelope.ts';

const KEY_BYTES = 32;

/** The data key exists but must not be used or replaced. The message is for the operator. */
export class DataKeyError extends Error {
  override readonly name = 'DataKeyError';
}

/** Explicit text, else the file, else null; creates nothing. */
export function loadDataKey(explicitText: string, path: string): Buffer | null {
  const text = explicitText.trim();
  if (text !== '') return parseDataKey(text) ?? deriveDataKey(text);
  const content = readKeyFile(path);
  if (content === null) return null;
  const key = parseDataKey(content.toString('utf8'));
  if (key !== null) return key;
  const problem = keyTextProblem(path, content);
  if (problem !== null) throw new DataKeyError(problem);
  throw new DataKeyError(
    `${path} does not contain a data key; restore it from a backup, or move it away and save the management key again`,
  );
}

/**
 * What the operator should know about the file of the key: null when nobody else can read it. Its mode is never changed here,
 * because another program of the operator may need it.
 */
export function dataKeyExposure(path: string): string | null {
  const status = process.platform === 'win32' ? undefined : statSync(path, { throwIfNoEntry: false });
  if (status === undefined || (status.mode & 0o077) === 0) return null;
  const mode = (status.mode & 0o777).toString(8).padStart(4, '0');
  return `${path} can be used by other users (mode ${mode}), and decrypts the stored management key; run: chmod 600 ${path}`;
}

/** Stored forms in the order of the contract: base64 without and with padding, base64url, 32 raw bytes of text. */
export function parseDataKey(content: string): Buffer | null {
  const text = content.trim();
  const candidates = [
    fromBase64(text),
    /^[^=]+=$/.test(text) && text.length % 4 === 0 ? fromBase64(text.slice(0, -1)) : null,
    /^[A-Za-z0-9_-]+$/.test(text) ? Buffer.from(text, 'base64url') : null,
    Buffer.from(text, 'utf8'),
  ];
  return candidates.find((candidate) => candidate?.length === KEY_BYTES) ?? null;
}

/**
 * Writes a new key. It is complete in a temporary file before its rename, so a crash cannot leave an empty key; a file that was
 * created meanwhile wins.
 */
export function createDataKey(path: string, randomBytes: RandomBytes): Buffer {
  const directory = dirname(path);
  const temporary = join(directory, `.data-key-${Buffer.from(randomBytes(8)).toString('hex')}.tmp`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const key = Buffer.from(randomBytes(KEY_BYTES));
  try {
    writeSynced(temporary, `${toBase64(key)}\n`);
    publish(temporary, path);
    syncDirectory(directory);
    return key;
  } catch (error) {
    const existing = codeOf(error) === 'EEXIST' ? loadDataKey('', path) : null;
    if (existing !== null) return existing;
    throw new DataKeyError(`cannot create ${path}${accessDetail(path, 'write', error)}`);
  } finally {
    removeQuietly(temporary);
  }
}

/** A link never replaces an existing file. File systems without links (some container mounts) get a copy. */
function publish(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error;
    writeSynced(path, readFileSync(temporary, 'utf8'));
  }
}

function readKeyFile(path: string): Buffer | null {
  try {
    // A pipe without a writer would block the start forever, and no signal would end it.
    if (!statSync(path).isFile()) throw new DataKeyError(`${path} is not a regular file`);
    return readSmallFile(path);
  } catch (error) {
    if (error instanceof DataKeyError) throw error;
    if (error instanceof SmallFileError) throw new DataKeyError(error.message);
    if (codeOf(error) === 'ENOENT') return null;
    throw new DataKeyError(`cannot read ${path}${accessDetail(path, 'read', error)}`);
  }
}

function writeSynced(path: string, content: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  if (process.platform !== 'win32') chmodSync(path, 0o600);
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never created.
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
