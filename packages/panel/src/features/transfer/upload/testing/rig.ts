import { createClient } from '../../../../platform/api/client.ts';
import { createUploadController, type UploadController } from '../controller.ts';
import { createLocalHasher } from '../digest/hasher.ts';
import type { UploadLock } from '../lock.ts';
import { createResumeEntries } from '../resume-entries.ts';
import { sessionCalls } from '../session-calls.ts';
import type { UploadSource } from '../source.ts';
import { isAtRest, type UploadPhase, type UploadState } from '../state.ts';
import type { SessionServer } from './session-server.ts';

/** Bytes without repetition. */
export function bytesOf(size: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: size }, (_, index) => (index * 7 + (index >> 8) * 13) % 251);
}

export function fileOf(bytes: Uint8Array<ArrayBuffer>, name = 'events.jsonl'): UploadSource {
  return new File([bytes], name, { lastModified: 1_767_225_600_000 });
}

/** Shared by the tabs of one browser. */
export class TestBrowser {
  stored: unknown = null;
  readonly #held = new Set<string>();

  readonly lock: UploadLock = {
    acquire: async (name) => {
      if (this.#held.has(name)) return null;
      this.#held.add(name);
      return () => void this.#held.delete(name);
    },
  };

  get held(): number {
    return this.#held.size;
  }

  /** Stored resume entries. */
  get entries(): readonly unknown[] {
    const { stored } = this;
    return typeof stored === 'object' && stored !== null && 'entries' in stored ? (stored.entries as unknown[]) : [];
  }
}

/** A tab with its controller. Delays are recorded and end at once. */
export class Tab {
  readonly waits: number[] = [];
  readonly states: UploadState[] = [];
  readonly controller: UploadController;
  nowMs: number | null = null;
  /** Delayed until it resolves; default nothing. */
  pauseOf: (ms: number) => Promise<void> = async () => {};
  #keys = 0;

  constructor(server: Pick<SessionServer, 'base'>, browser = new TestBrowser(), chunkTimeoutMs = 5_000) {
    const client = createClient({
      page: server.base,
      fetch: (input, init) => fetch(input, init),
      session: () => ({ key: 'key', base: server.base, mode: 'manager' }),
      onUnauthorized: () => {},
      onNotConfigured: () => {},
      clock: () => Date.now(),
      wait: async () => {},
    });
    const now = () => this.nowMs ?? Date.now();
    const seed = Math.floor(Math.random() * 2 ** 32).toString(16);
    this.controller = createUploadController({
      calls: sessionCalls(client, chunkTimeoutMs),
      entries: createResumeEntries({
        storage: {
          read: () => browser.stored,
          write: (value) => {
            browser.stored = JSON.parse(JSON.stringify(value));
          },
        },
        base: server.base,
        now,
      }),
      lock: browser.lock,
      openHasher: async () => createLocalHasher(),
      sleep: async (ms, signal) => {
        this.waits.push(ms);
        await Promise.race([
          this.pauseOf(ms),
          new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true })),
        ]);
        // Other tabs run in between.
        await Bun.sleep(0);
      },
      clock: now,
      now,
      newResumeKey: () => `${seed}${++this.#keys}`.padStart(32, '0'),
      publish: (state) => this.states.push(state),
    });
  }

  get phases(): UploadPhase[] {
    return this.states.map(({ phase }) => phase).filter((phase, index, all) => phase !== all[index - 1]);
  }

  async until(isThere: (state: UploadState) => boolean): Promise<UploadState> {
    const deadline = Date.now() + 10_000;
    while (!isThere(this.controller.state())) {
      if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(this.controller.state())}`);
      await Bun.sleep(1);
    }
    return this.controller.state();
  }

  /** Waits for the end, successful or not. */
  ended(): Promise<UploadState> {
    return this.until((state) => isAtRest(state) && state.phase !== 'idle');
  }

  async upload(source: UploadSource): Promise<UploadState> {
    if (!this.controller.start(source)) throw new Error('not started');
    return this.ended();
  }
}
