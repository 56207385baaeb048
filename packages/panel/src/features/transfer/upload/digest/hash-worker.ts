import { createSha256 } from '../../../../platform/sha256.ts';
import type { HashRequest } from './hasher.ts';

// A thread that hashes: every request is answered, in order, with the digest where it was asked for.
let hash = createSha256();

globalThis.onmessage = ({ data }: MessageEvent<HashRequest>) => {
  if (data.kind === 'update') hash.update(data.bytes);
  else if (data.kind === 'reset') hash = createSha256();
  globalThis.postMessage(data.kind === 'hex' ? hash.hex() : '');
};
