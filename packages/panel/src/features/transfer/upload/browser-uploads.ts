import type { Client } from '../../../platform/api/client.ts';
import { readStored, writeStored } from '../../../platform/browser/storage.ts';
import { createStore, type Store } from '../../../platform/store.ts';
import { createUploadController, type UploadController } from './controller.ts';
import HashThread from './digest/hash-worker.ts?worker&inline';
import { openHasher } from './digest/hasher.ts';
import { createHeartbeatLock, createWebLock, type UploadLock } from './lock.ts';
import { createResumeEntries } from './resume-entries.ts';
import { type SessionCalls, sessionCalls } from './session-calls.ts';
import { sleep } from './sleep.ts';
import { IDLE, stopsOnLeaving, type UploadState } from './state.ts';

/** Time limit of the answer to a chunk, ms. */
const CHUNK_TIMEOUT_MS = 300_000;

/** The panel's upload: one instance, so that it continues on other pages. */
export interface Uploads {
  readonly controller: UploadController;
  readonly store: Store<UploadState>;
  /** For sessions that this tab is not uploading. */
  readonly calls: SessionCalls;
}

export function createBrowserUploads(client: Client, base: string): Uploads {
  const store = createStore(IDLE);
  const calls = sessionCalls(client, CHUNK_TIMEOUT_MS);
  const controller = createUploadController({
    calls,
    entries: createResumeEntries({
      storage: {
        read: () => readStored('browser', 'imports'),
        write: (value) => writeStored('browser', 'imports', value),
      },
      base,
      now: client.now,
    }),
    lock: browserLock(),
    openHasher: () => openHasher(() => new HashThread(), sleep),
    sleep,
    clock: () => Date.now(),
    now: client.now,
    newResumeKey: randomHex,
    publish: store.set,
  });
  window.addEventListener('beforeunload', (event) => {
    if (stopsOnLeaving(controller.state())) event.preventDefault();
  });
  return { controller, store, calls };
}

/** 32 hex digits. */
function randomHex(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Pages without TLS have no browser locks; without storage either, there is nothing to share. */
function browserLock(): UploadLock {
  // The types assume that every browser has it.
  const locks: LockManager | undefined = navigator.locks;
  if (locks !== undefined) return createWebLock(locks);
  try {
    return createHeartbeatLock({
      storage: window.localStorage,
      owner: randomHex(),
      clock: () => Date.now(),
      every: (ms, call) => {
        const timer = setInterval(call, ms);
        return () => clearInterval(timer);
      },
      wait: sleep,
    });
  } catch {
    return { acquire: async () => () => {} };
  }
}
