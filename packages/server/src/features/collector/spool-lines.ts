import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

const CHUNK_BYTES = 1024 * 1024;
const LF = 10;

/** Far above the longest record, twice escaped; of a longer line, which was damaged, at most this much is kept. */
const LONGEST_BYTES = 64 * 1024 * 1024;
const HEAD_BYTES = 64 * 1024;

export interface SpoolLine {
  /** The record; a damaged line as it is, so that it becomes a dead letter. */
  readonly text: string;
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
    const line = new LineBytes();
    for (let at = from; at < to; ) {
      const chunk = new Uint8Array(Math.min(CHUNK_BYTES, to - at));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
      if (bytesRead === 0) break;
      at += bytesRead;
      const fresh = chunk.subarray(0, bytesRead);
      let begin = 0;
      for (let end = fresh.indexOf(LF); end >= 0; end = fresh.indexOf(LF, begin)) {
        line.add(fresh.subarray(begin, end));
        begin = end + 1;
        const { text, bytes } = line.take();
        yield { text, bytes: bytes + 1, whole: true };
      }
      line.add(fresh.subarray(begin));
    }
    const { text, bytes } = line.take();
    if (bytes > 0) yield { text, bytes, whole: false };
  } finally {
    await file.close();
  }
}

/** The bytes of one line, which arrive in parts. */
class LineBytes {
  #parts: Uint8Array[] = [];
  #bytes = 0;

  add(part: Uint8Array): void {
    this.#bytes += part.length;
    if (this.#bytes <= LONGEST_BYTES) this.#parts.push(part);
    else this.#parts.length = Math.min(this.#parts.length, 1);
  }

  take(): { readonly text: string; readonly bytes: number } {
    const bytes = this.#bytes;
    const [only] = this.#parts;
    const kept = this.#parts.length === 1 && only !== undefined ? only : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    return { text: recordOf(bytes > LONGEST_BYTES ? kept.slice(0, HEAD_BYTES) : kept), bytes };
  }
}

function recordOf(line: Uint8Array): string {
  const text = new TextDecoder().decode(line);
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}
