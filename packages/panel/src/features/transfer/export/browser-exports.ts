import type { Client } from '../../../platform/api/client.ts';
import { chooseFileSink, savesToDisk } from '../../../platform/browser/file-sink.ts';
import { createStore, type Store } from '../../../platform/store.ts';
import {
  createExportController,
  type ExportController,
  type ExportState,
  isExporting,
  NO_EXPORT,
} from './controller.ts';

const EXPORT_PATH = 'v0/management/usage/export';
/** Until the first byte, ms. */
const START_TIMEOUT_MS = 60_000;

/** The panel's export: one instance, so that it continues on other pages. */
export interface Exports {
  readonly controller: ExportController;
  readonly store: Store<ExportState>;
  /** False where the browser keeps the whole file in memory first. */
  readonly toDisk: boolean;
}

export function createBrowserExports(client: Client): Exports {
  const store = createStore(NO_EXPORT);
  const controller = createExportController({
    open: (signal) =>
      client.open(EXPORT_PATH, {
        headers: { Accept: 'application/x-ndjson, application/json' },
        timeoutMs: START_TIMEOUT_MS,
        signal,
      }),
    chooseSink: () => chooseFileSink('usage-events.jsonl'),
    clock: () => Date.now(),
    publish: store.set,
  });
  window.addEventListener('beforeunload', (event) => {
    if (isExporting(controller.state())) event.preventDefault();
  });
  return { controller, store, toDisk: savesToDisk() };
}
