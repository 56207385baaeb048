import { FILE_PROBLEMS, type FileProblem } from '@manager/core/usage/import-problems';

/** Enough for the first lines of a table. */
export const HEAD_BYTES = 4096;

const SIGNATURES: readonly (readonly [FileProblem, readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['compressed', [0x28, 0xb5, 0x2f, 0xfd]], // zstd
  ['compressed', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]], // xz
  ['compressed', [0x42, 0x5a, 0x68]], // bzip2
  ['sqlite', [...Buffer.from('SQLite format 3\0')]],
  // Before UTF-16, whose mark is the beginning of this one.
  ['utf32', [0xff, 0xfe, 0x00, 0x00]],
  ['utf32', [0x00, 0x00, 0xfe, 0xff]],
  ['utf16', [0xff, 0xfe]],
  ['utf16', [0xfe, 0xff]],
];

/** Why a file with these first bytes is no import file, or null. White space and a UTF-8 byte order mark may precede the content. */
export function fileProblem(head: Uint8Array): string | null {
  const found = SIGNATURES.find(([, bytes]) => bytes.every((byte, index) => head[index] === byte));
  const problem =
    found?.[0] ?? wideText(head) ?? textProblem(new TextDecoder().decode(head), head.length === HEAD_BYTES);
  return problem === null ? null : FILE_PROBLEMS[problem];
}

/** Text in units of two or four bytes without a mark: its first characters are ASCII. */
function wideText(head: Uint8Array): FileProblem | null {
  const zeros = Array.from(head.subarray(0, 8), (byte) => (byte === 0 ? '0' : 'x')).join('');
  if (/^(x0x0|0x0x)/.test(zeros)) return 'utf16';
  return /^(x000|000x)/.test(zeros) ? 'utf32' : null;
}

function textProblem(text: string, isCut: boolean): FileProblem | null {
  const content = text.trimStart();
  if (/^<[!?/a-z]/i.test(content)) return 'html';
  return isTable(content, isCut) ? 'csv' : null;
}

/** Lines of a table to look at. */
const TABLE_LINES = 5;
/** At least three columns with the names of members. */
const HEADER = /^"?[a-z_][\w.]*"?(?:([,;\t])"?[a-z_][\w.]*"?)(?:\1"?[a-z_][\w.]*"?)+$/i;

/** A file of JSON may begin with broken lines, so all the lines have to look like a table. */
function isTable(content: string, isCut: boolean): boolean {
  const lines = content
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0 || lines.some((line) => line.startsWith('{') || line.startsWith('['))) return false;
  // The last one may be cut off.
  const seen = (lines.length > 1 && isCut ? lines.slice(0, -1) : lines).slice(0, TABLE_LINES);
  if (seen.length === 1) return HEADER.test(seen[0] ?? '');
  return [',', ';', '\t'].some((separator) => {
    const counts = seen.map((line) => columnsOf(line, separator));
    return counts[0] !== undefined && counts[0] > 1 && counts.every((count) => count === counts[0]);
  });
}

function columnsOf(line: string, separator: string): number {
  return line.replace(/"(?:[^"]|"")*"/g, '').split(separator).length;
}
