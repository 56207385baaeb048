import { readSmallFile } from './bounded-file.ts';

/** The content of a key file cannot be meant as it is. The message has the path and how to fix it, and repeats nothing of it. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

/**
 * The trimmed text of a file that holds one key.
 *
 * @throws KeyFileError for UTF-16 and control characters, which a key can never be, and for quotes, which would be part of the key; the error
 * of the file system
 */
export function readKeyText(path: string): string {
  const bytes = readSmallFile(path);
  const problem = keyTextProblem(path, bytes);
  if (problem !== null) throw new KeyFileError(problem);
  return bytes.toString('utf8').trim();
}

/** Why the content of a key file cannot be meant as it is, or null. */
export function keyTextProblem(path: string, bytes: Buffer): string | null {
  if (isUtf16(bytes)) return utf16Problem(path);
  const key = bytes.toString('utf8').trim();
  if (hasControls(key)) return controlsProblem(path);
  return isQuoted(key) ? `${path} has quotes around the key, which would be part of it; remove them` : null;
}

/** No header can carry such a key, so it would lock everybody out. */
export function hasControls(key: string): boolean {
  return /[\u0000-\u001f\u007f]/.test(key);
}

/** A header carries other characters not at all, or as other bytes from every client. */
export function isSendable(key: string): boolean {
  return /^[\x20-\x7e]*$/.test(key);
}

export function controlsProblem(where: string): string {
  return `${where} has more than one line, or control characters; a key is one line of text`;
}

export function utf16Problem(path: string): string {
  return `${path} is UTF-16 text; save it as UTF-8, for example: iconv -f UTF-16 -t UTF-8 ${path}`;
}

/** @example isQuoted('"key"') === true */
export function isQuoted(key: string): boolean {
  return key.length > 1 && /^(["'`]).*\1$/s.test(key);
}

/** With a byte order mark, or every other byte 0. */
export function isUtf16(bytes: Uint8Array): boolean {
  const [first, second, third, fourth] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  return bytes.length >= 4 && ((first === 0 && third === 0) || (second === 0 && fourth === 0));
}
