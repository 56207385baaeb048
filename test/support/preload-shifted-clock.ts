import { readFileSync } from 'node:fs';

/** Loaded before the server: shifts its clock in all threads by the ms in a file, and jumps when the file changes. */
const file = process.env.SHIFTED_CLOCK_FILE ?? '';
const EVERY_MS = 20;

if (Bun.isMainThread) {
  const Thread = Worker;
  // `--preload` applies to the main thread alone.
  globalThis.Worker = class extends Thread {
    constructor(entry: string | URL, options?: WorkerOptions) {
      super(entry, { ...options, preload: [import.meta.path] });
    }
  };
}

const machine = Date.now.bind(Date);
let shiftMs = 0;

function read(): void {
  const text = readFileSync(file, 'utf8');
  // Empty while it is written.
  if (text !== '') shiftMs = Number(text);
}

read();
setInterval(read, EVERY_MS).unref();
Date.now = () => machine() + shiftMs;
