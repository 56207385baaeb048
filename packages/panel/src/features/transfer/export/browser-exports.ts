import type { Client } from '../../../platform/api/client.ts';
import { createStore, type Store } from '../../../platform/store.ts';
import {
  createExportController,
  type ExportController,
  type ExportState,
  isExporting,
  NO_EXPORT,
} from './controller.ts';
import { createMemorySink, type ExportSink, openDiskSink, type SaveHandle } from './sink.ts';

const EXPORT_PATH = 'v0/management/usage/export';
/** Until the first byte, ms. */
const START_TIMEOUT_MS = 60_000;
/** Browsers read a downloaded blob after the click. */
const BLOB_LIFE_MS = 60_000;

/** The panel's export: one instance, so that it continues on other pages. */
export interface Exports {
  readonly controller: ExportController;
  readonly store: Store<ExportState>;
  /** False where the browser keeps the whole file in memory first. */
  readonly toDisk: boolean;
}

interface SavePicker {
  showSaveFilePicker?(options: { readonly suggestedName: string }): Promise<SaveHandle>;
}

export function createBrowserExports(client: Client): Exports {
  const store = createStore(NO_EXPORT);
  // Only some browsers have it, and only for pages with TLS.
  const browser: Window & SavePicker = window;
  const controller = createExportController({
    open: (signal) =>
      client.open(EXPORT_PATH, {
        headers: { Accept: 'application/x-ndjson, application/json' },
        timeoutMs: START_TIMEOUT_MS,
        signal,
      }),
    chooseSink: async (): Promise<ExportSink | null> => {
      if (browser.showSaveFilePicker === undefined) return createMemorySink(saveBlob);
      try {
        return await openDiskSink(await browser.showSaveFilePicker({ suggestedName: 'usage-events.jsonl' }));
      } catch (error) {
        if (error instanceof DOMException && error.name === 'AbortError') return null;
        throw error;
      }
    },
    clock: () => Date.now(),
    publish: store.set,
  });
  window.addEventListener('beforeunload', (event) => {
    if (isExporting(controller.state())) event.preventDefault();
  });
  return { controller, store, toDisk: browser.showSaveFilePicker !== undefined };
}

function saveBlob(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), BLOB_LIFE_MS);
}
