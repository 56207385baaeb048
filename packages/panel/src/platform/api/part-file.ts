import { createSha256 } from '../sha256.ts';

export interface LoadDeps {
  /** Address of the page without its file name. */
  readonly page: string;
  /** Where the manager serves it. */
  readonly path: string;
  /** SHA-256 of the file that belongs to this page; '' = none. */
  readonly digest: string;
  readonly fetch: (address: URL) => Promise<Response>;
  /** Runs the script. */
  readonly run: (address: string) => Promise<unknown>;
}

/** For the page itself. */
export const RUN_PART: Pick<LoadDeps, 'fetch' | 'run'> = {
  fetch: (address) => fetch(address, { credentials: 'omit', redirect: 'error' }),
  run: (address) => import(/* @vite-ignore */ address),
};

/** A part of the panel that the manager serves beside it; null = it cannot be had. Another file than the built one never runs. */
export async function loadPartFile<Module>(deps: LoadDeps): Promise<Module | null> {
  if (deps.digest === '') return null;
  try {
    const answer = await deps.fetch(new URL(`${deps.path.slice(1)}?digest=${deps.digest}`, deps.page));
    if (!answer.ok) return null;
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const hash = createSha256();
    hash.update(bytes);
    if (hash.hex() !== deps.digest) return null;
    const address = URL.createObjectURL(new Blob([bytes], { type: 'text/javascript' }));
    try {
      return (await deps.run(address)) as Module;
    } finally {
      URL.revokeObjectURL(address);
    }
  } catch {
    return null;
  }
}
