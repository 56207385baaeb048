import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { until } from '@manager/core/testing/until';
import {
  createUploadController,
  type UploadController,
} from '../../packages/panel/src/features/transfer/upload/controller.ts';
import { openHasher } from '../../packages/panel/src/features/transfer/upload/digest/hasher.ts';
import { createResumeEntries } from '../../packages/panel/src/features/transfer/upload/resume-entries.ts';
import { type SessionCalls, sessionCalls } from '../../packages/panel/src/features/transfer/upload/session-calls.ts';
import { sleep } from '../../packages/panel/src/features/transfer/upload/sleep.ts';
import type { UploadSource } from '../../packages/panel/src/features/transfer/upload/source.ts';
import { isAtRest, type UploadState } from '../../packages/panel/src/features/transfer/upload/state.ts';
import { createClient } from '../../packages/panel/src/platform/api/client.ts';
import { TEST_ADMIN_KEY } from './manager-process.ts';

const HASH_THREAD = new URL('../../packages/panel/src/features/transfer/upload/digest/hash-worker.ts', import.meta.url);

/** A file on disk as the browser provides it. */
export function sourceOf(path: string): UploadSource {
  const { size, mtimeMs } = statSync(path);
  return {
    name: basename(path),
    size,
    lastModified: mtimeMs,
    slice: (begin, end) => Bun.file(path).slice(begin, end),
    onDisk: async () => {
      const present = statSync(path);
      return { size: present.size, lastModified: present.mtimeMs };
    },
  };
}

/** State that outlives a tab. */
export interface BrowserMemory {
  entries: unknown;
}

/** The panel's upload as in one tab, with real delays, a real hash thread, and its own lock. */
export class UploadClient {
  readonly calls: SessionCalls;
  readonly controller: UploadController;
  readonly states: UploadState[] = [];

  constructor(url: string, memory: BrowserMemory = { entries: null }) {
    const client = createClient({
      page: `${url}/`,
      fetch: (input, init) => fetch(input, init),
      session: () => ({ key: TEST_ADMIN_KEY, base: `${url}/`, mode: 'manager' }),
      onUnauthorized: () => {},
      onNotConfigured: () => {},
      clock: () => Date.now(),
      wait: sleep,
    });
    this.calls = sessionCalls(client, 300_000);
    this.controller = createUploadController({
      calls: this.calls,
      entries: createResumeEntries({
        storage: {
          read: () => memory.entries,
          write: (value) => {
            memory.entries = value;
          },
        },
        base: url,
        now: client.now,
      }),
      lock: { acquire: async () => () => {} },
      openHasher: () => openHasher(() => new Worker(HASH_THREAD.href), sleep),
      sleep,
      clock: () => Date.now(),
      now: client.now,
      newResumeKey: () => crypto.randomUUID().replaceAll('-', ''),
      publish: (state) => this.states.push(state),
    });
  }

  until(isThere: (state: UploadState) => boolean): Promise<UploadState> {
    const look = () => (isThere(this.controller.state()) ? this.controller.state() : null);
    return until(look, 'the upload');
  }

  /** Waits for the end, successful or not. */
  ended(): Promise<UploadState> {
    return this.until((state) => isAtRest(state) && state.phase !== 'idle');
  }
}
