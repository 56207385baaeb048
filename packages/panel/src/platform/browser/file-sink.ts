/** Target of an export. Only a complete one becomes a file. */
export interface ExportSink {
  readonly kind: 'disk' | 'memory';
  /** Resolves when more may come. */
  readonly write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** @param suggested name for the file where none was chosen; resolves to its actual name */
  readonly close: (suggested: string) => Promise<string>;
  readonly discard: () => Promise<void>;
}

/** The used part of a `FileSystemFileHandle`. */
export interface SaveHandle {
  readonly name: string;
  readonly getFile: () => Promise<{ readonly size: number }>;
  readonly createWritable: () => Promise<SaveStream>;
  /** Some browsers lack only this. */
  readonly remove?: () => Promise<void>;
}

interface SaveStream {
  readonly write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  readonly close: () => Promise<void>;
  readonly abort: () => Promise<void>;
}

/** Writes to a chosen file; it keeps its old content until the new one is complete. */
export async function openDiskSink(handle: SaveHandle): Promise<ExportSink> {
  // Choosing a new name creates an empty file.
  const isNew = (await handle.getFile()).size === 0;
  const stream = await handle.createWritable();
  return {
    kind: 'disk',
    write: (bytes) => stream.write(bytes),
    close: async () => {
      await stream.close();
      return handle.name;
    },
    discard: async () => {
      await stream.abort();
      if (isNew) await handle.remove?.();
    },
  };
}

/** Bytes kept as arrays; more go into a blob, which the browser may keep on disk. */
const FOLD_BYTES = 8 * 2 ** 20;

/** Keeps everything until the end, then starts a download. */
export function createMemorySink(save: (file: Blob, name: string) => void): ExportSink {
  let blob = new Blob();
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let partBytes = 0;

  function fold(): void {
    blob = new Blob([blob, ...parts]);
    parts = [];
    partBytes = 0;
  }

  return {
    kind: 'memory',
    write: async (bytes) => {
      parts.push(bytes);
      partBytes += bytes.length;
      if (partBytes >= FOLD_BYTES) fold();
    },
    close: async (suggested) => {
      fold();
      save(blob, suggested);
      return suggested;
    },
    discard: async () => {
      blob = new Blob();
      parts = [];
    },
  };
}

/** Browsers read a downloaded blob after the click, ms. */
const BLOB_LIFE_MS = 60_000;

interface SavePicker {
  showSaveFilePicker?(options: { readonly suggestedName: string }): Promise<SaveHandle>;
}

/** Only some browsers have it, and only for pages with TLS. */
const picker = (): Window & SavePicker => window;

/** False where the browser keeps a whole file in memory first. */
export const savesToDisk = (): boolean => picker().showSaveFilePicker !== undefined;

/**
 * The file that a person chooses, or a download where browsers cannot write files; null when none was chosen. Must be called from
 * a click: only then do browsers open a file dialog.
 */
export async function chooseFileSink(suggestedName: string): Promise<ExportSink | null> {
  const browser = picker();
  if (browser.showSaveFilePicker === undefined) return createMemorySink(saveBlob);
  try {
    return await openDiskSink(await browser.showSaveFilePicker({ suggestedName }));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    throw error;
  }
}

function saveBlob(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), BLOB_LIFE_MS);
}

export const LINE_END = 10;

export function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_END); at !== -1; at = bytes.indexOf(LINE_END, at + 1)) count += 1;
  return count;
}
