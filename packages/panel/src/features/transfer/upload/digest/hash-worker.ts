import { createSha256 } from '../../../../platform/sha256.ts';
import type { HashRequest } from './hasher.ts';

// A hash worker: every request is answered, in order, with the digest where requested.
let hash = createSha256();

globalThis.onmessage = ({ data }: MessageEvent<HashRequest>) => {
  if (data.kind === 'update') hash.update(data.bytes);
  else if (data.kind === 'reset') hash = createSha256();
  globalThis.postMessage(data.kind === 'hex' ? hash.hex() : '');
};
