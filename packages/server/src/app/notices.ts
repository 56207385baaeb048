import { brotliDecompressSync } from 'node:zlib';
import compressed from '../../dist/THIRD_PARTY_NOTICES.br' with { type: 'file' };
import { codeOf } from '../sqlite/worker/errors.ts';

/** Prints the license notices of everything inside the executable, which the build writes. */
export async function printNotices(): Promise<void> {
  const text = brotliDecompressSync(await Bun.file(compressed).arrayBuffer());
  try {
    await Bun.write(Bun.stdout, text);
  } catch (error) {
    // The reader has seen enough, such as `head` or a pager.
    if (codeOf(error) !== 'EPIPE') throw error;
  }
}
