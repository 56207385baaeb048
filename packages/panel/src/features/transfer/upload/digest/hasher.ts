import { createSha256 } from '../../../../platform/sha256.ts';

/** An incremental SHA-256 that may run in a worker. Calls are made one after the other. */
export interface Hasher {
  /** Takes ownership of the bytes. */
  readonly update: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Digest of everything so far, in hex; more may follow. */
  readonly hex: () => Promise<string>;
  readonly reset: () => Promise<void>;
  readonly close: () => void;
}

export type HashRequest =
  | { readonly kind: 'update'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'hex' }
  | { readonly kind: 'reset' };

/** In this thread: for browsers without workers. */
export function createLocalHasher(): Hasher {
  let hash = createSha256();
  return {
    update: async (bytes) => hash.update(bytes),
    hex: async () => hash.hex(),
    reset: async () => {
      hash = createSha256();
    },
    close: () => {},
  };
}

/** The used part of a `Worker`. */
export interface HashWorker {
  postMessage(message: HashRequest, transfer: ArrayBuffer[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

function createWorkerHasher(worker: HashWorker): Hasher {
  const waiting: { readonly resolve: (hex: string) => void; readonly reject: (error: Error) => void }[] = [];
  let failure: Error | null = null;

  function fail(error: Error): void {
    failure = error;
    for (const { reject } of waiting.splice(0)) reject(error);
  }

  worker.onmessage = (event: MessageEvent<string>) => waiting.shift()?.resolve(event.data);
  worker.onerror = () => fail(new Error('the worker that hashes has failed'));

  function ask(message: HashRequest, transfer: ArrayBuffer[] = []): Promise<string> {
    if (failure !== null) return Promise.reject(failure);
    return new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      worker.postMessage(message, transfer);
    });
  }

  return {
    update: async (bytes) => void (await ask({ kind: 'update', bytes }, [bytes.buffer])),
    hex: () => ask({ kind: 'hex' }),
    reset: async () => void (await ask({ kind: 'reset' })),
    close: () => {
      worker.terminate();
      fail(new Error('closed'));
    },
  };
}

/** Time limit of a worker's start, ms. */
const START_TIMEOUT_MS = 5_000;

/** In a worker if one works. */
export async function openHasher(createWorker: () => HashWorker, wait: (ms: number) => Promise<void>): Promise<Hasher> {
  let hasher: Hasher | null = null;
  try {
    hasher = createWorkerHasher(createWorker());
    const late = wait(START_TIMEOUT_MS).then(() => Promise.reject(new Error('the worker that hashes does not start')));
    await Promise.race([hasher.reset(), late]);
    return hasher;
  } catch {
    hasher?.close();
    return createLocalHasher();
  }
}
