import { UploadError } from './problem.ts';

/** A file as the browser provides it; a `File` is one. */
export interface UploadSource {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
  readonly slice: (begin: number, end: number) => Blob;
  /** The present file on disk, where the browser can read it: a `File` keeps the values from when it was picked. */
  readonly onDisk?: () => Promise<{ readonly size: number; readonly lastModified: number }>;
}

const SUFFIXES = ['.json', '.jsonl', '.ndjson', '.txt'];
const NAME_CODE_POINTS = 240;
const DEFAULT_NAME = 'usage-import.jsonl';

/** For `accept` of a file picker. */
export const ACCEPTED_FILES = SUFFIXES.join(',');

/** The name of the session, by the server's rule, so that both can be compared. */
export function sessionFilename(name: string): string {
  const last = name.replaceAll('\0', '').trim().split(/[/\\]/).at(-1)?.trim() ?? '';
  if (last === '' || last === '.') return DEFAULT_NAME;
  return Array.from(last).slice(0, NAME_CODE_POINTS).join('');
}

/** Rejects files that cannot be imported. `quotaBytes` = disk quota of the server; null when unknown. Throws UploadError. */
export function checkChoice({ name, size }: UploadSource, quotaBytes: number | null): void {
  const lowerName = name.toLowerCase();
  if (lowerName.endsWith('.gz')) throw new UploadError('compressed');
  if (!SUFFIXES.some((suffix) => lowerName.endsWith(suffix))) throw new UploadError('other_suffix');
  if (size <= 0) throw new UploadError('empty_file');
  if (quotaBytes !== null && size > quotaBytes) throw new UploadError('over_quota');
}

/** Chunks that a file takes, for the confirmation. */
export function chunkCount(sizeBytes: number, chunkBytes: number): number {
  return Math.ceil(sizeBytes / chunkBytes);
}

/** Bytes of the file; the browser refuses to read one that has changed since it was picked. */
export async function readBytes(source: UploadSource, begin: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(await source.slice(begin, end).arrayBuffer());
  } catch (cause) {
    throw new UploadError('file_changed', { cause });
  }
  if (bytes.length !== end - begin) throw new UploadError('file_changed');
  return bytes;
}

export interface ChangeCheck {
  /** @throws UploadError when the file has changed since the start, as far as can be detected */
  readonly requireUnchanged: (offset: number) => Promise<void>;
}

export function createChangeCheck(source: UploadSource): ChangeCheck {
  const { size, lastModified } = source;

  async function presentState(): Promise<{ readonly size: number; readonly lastModified: number }> {
    try {
      return source.onDisk === undefined ? source : await source.onDisk();
    } catch (cause) {
      throw new UploadError('file_changed', { cause });
    }
  }

  return {
    requireUnchanged: async (offset) => {
      const present = await presentState();
      if (present.size !== size || present.lastModified !== lastModified) throw new UploadError('file_changed');
      // Browsers detect a change only when reading.
      await readBytes(source, offset, offset + 1);
    },
  };
}
