import { closeSync, openSync, readSync } from 'node:fs';

const NEWLINE = 10;
const READ_BYTES = 2 ** 20;

/** The first line that differs between two files of any size, and how; null where they are equal. */
export function differentLine(foundPath: string, expectedPath: string): string | null {
  const [foundFile, expectedFile] = [openSync(foundPath, 'r'), openSync(expectedPath, 'r')];
  const buffers = [Buffer.alloc(READ_BYTES), Buffer.alloc(READ_BYTES)] as const;
  let line = 1;
  try {
    for (;;) {
      const found = readFully(foundFile, buffers[0]);
      const expected = readFully(expectedFile, buffers[1]);
      const same = found.equals(expected);
      if (same && found.length === 0) return null;
      const at = same ? found.length : differsAt(found, expected);
      for (let end = found.indexOf(NEWLINE); end >= 0 && end < at; end = found.indexOf(NEWLINE, end + 1)) line += 1;
      if (same) continue;
      const around = (text: Buffer) => text.toString('utf8', Math.max(at - 60, 0), at + 40);
      return `line ${line}: ${around(found)} instead of ${around(expected)}`;
    }
  } finally {
    closeSync(foundFile);
    closeSync(expectedFile);
  }
}

/** The next bytes of the file: a full buffer, fewer only at the end. */
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
