import { recordAll, recordSyncs } from './durable-files.ts';

const { DURABLE_DIRECTORY = '', DURABLE_RECORD = '' } = process.env;
if (Bun.isMainThread) {
  recordAll(DURABLE_DIRECTORY, DURABLE_RECORD);
  const Thread = Worker;
  // `--preload` applies to the main thread alone.
  globalThis.Worker = class extends Thread {
    constructor(entry: string | URL, options?: WorkerOptions) {
      super(entry, { ...options, preload: [import.meta.path] });
    }
  };
}
recordSyncs(DURABLE_RECORD);
