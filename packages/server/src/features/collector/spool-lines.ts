import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

const CHUNK_BYTES = 1024 * 1024;
const LF = 10;

export interface SpoolLine {
  /** The record, null when the line is invalid. */
  readonly text: string | null;
  /** Bytes of the line with its line feed. */
  readonly bytes: number;
  /** False for a last line without line feed. */
  readonly whole: boolean;
}

/**
 * Lines of a file between two byte positions. Only line feeds end a line: JSON text may contain every other separator.
 */
export async function* spoolLines(path: string, from: number, to: number): AsyncGenerator<SpoolLine> {
  // A pipe that replaced the file would wait for a writer.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    let rest: Uint8Array = new Uint8Array();
    for (let at = from; at < to; ) {
      const chunk = new Uint8Array(Math.min(CHUNK_BYTES, to - at));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
      if (bytesRead === 0) break;
      at += bytesRead;
      const fresh = chunk.subarray(0, bytesRead);
      let begin = 0;
      for (let end = fresh.indexOf(LF); end >= 0; end = fresh.indexOf(LF, begin)) {
        const line = Buffer.concat([rest, fresh.subarray(begin, end)]);
        rest = new Uint8Array();
        begin = end + 1;
        yield { text: recordOf(line), bytes: line.length + 1, whole: true };
      }
      rest = Buffer.concat([rest, fresh.subarray(begin)]);
    }
    if (rest.length > 0) yield { text: recordOf(rest), bytes: rest.length, whole: false };
  } finally {
    await file.close();
  }
}

function recordOf(line: Uint8Array): string | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(line));
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}
