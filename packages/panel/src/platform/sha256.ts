/** SHA-256 of UTF-8 text as hex. The browser's own in a secure context, else this file's. */
export async function sha256Hex(text: string): Promise<string> {
  const subtle = globalThis.crypto?.subtle;
  if (subtle === undefined) return sha256HexSync(text);
  return hex(new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

export function sha256HexSync(text: string): string {
  const hash = createSha256();
  hash.update(new TextEncoder().encode(text));
  return hash.hex();
}

/** An incremental SHA-256: the browser's own needs all bytes at once, which is too much for a large file. */
export interface Sha256 {
  readonly update: (bytes: Uint8Array) => void;
  /** Digest of everything so far, 64 hex digits; more may follow. */
  readonly hex: () => string;
}

const BLOCK_BYTES = 64;
/** The last block ends with the length in bits, 8 bytes, after at least one byte of padding. */
const LENGTH_BYTES = 8;

/**
 * @example
 * const hash = createSha256();
 * hash.update(new Uint8Array([97, 98]));
 * hash.hex(); // of "ab"
 */
export function createSha256(): Sha256 {
  const state = Int32Array.from(START);
  const rest = new Uint8Array(BLOCK_BYTES);
  let filled = 0;
  let bytesSoFar = 0;

  return {
    update: (bytes) => {
      let at = 0;
      bytesSoFar += bytes.length;
      if (filled > 0) {
        at = Math.min(BLOCK_BYTES - filled, bytes.length);
        rest.set(bytes.subarray(0, at), filled);
        filled += at;
        if (filled < BLOCK_BYTES) return;
        compress(state, rest, 0, BLOCK_BYTES);
      }
      const whole = bytes.length - ((bytes.length - at) % BLOCK_BYTES);
      compress(state, bytes, at, whole);
      rest.set(bytes.subarray(whole));
      filled = bytes.length - whole;
    },
    hex: () => {
      const end = new Uint8Array(filled < BLOCK_BYTES - LENGTH_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES);
      end.set(rest.subarray(0, filled));
      end[filled] = 0x80;
      const view = new DataView(end.buffer);
      view.setUint32(end.length - 8, Math.floor((bytesSoFar * 8) / 2 ** 32));
      view.setUint32(end.length - 4, (bytesSoFar * 8) % 2 ** 32);
      const last = state.slice();
      compress(last, end, 0, end.length);
      return Array.from(last, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
    },
  };
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Fractional parts of roots of the first primes, as FIPS 180-4 defines its constants. */
function rootFractions(count: number, exponent: number): Int32Array {
  const fractions = new Uint32Array(count);
  let found = 0;
  for (let candidate = 2; found < count; candidate += 1) {
    let prime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) if (candidate % divisor === 0) prime = false;
    if (!prime) continue;
    const root = candidate ** exponent;
    fractions[found] = (root - Math.floor(root)) * 2 ** 32;
    found += 1;
  }
  return new Int32Array(fractions.buffer);
}

const ROUND_CONSTANTS = rootFractions(64, 1 / 3);
const START = rootFractions(8, 1 / 2);
/** Message schedule of the present block. */
const schedule = new Int32Array(64);

/** Processes the whole blocks from `begin` to `end`. The inner loop for large files: locals and one pass. */
function compress(state: Int32Array, bytes: Uint8Array, begin: number, end: number): void {
  const words = schedule;
  let h0 = state[0] ?? 0;
  let h1 = state[1] ?? 0;
  let h2 = state[2] ?? 0;
  let h3 = state[3] ?? 0;
  let h4 = state[4] ?? 0;
  let h5 = state[5] ?? 0;
  let h6 = state[6] ?? 0;
  let h7 = state[7] ?? 0;
  for (let block = begin; block < end; block += BLOCK_BYTES) {
    for (let i = 0, at = block; i < 16; i += 1, at += 4) {
      words[i] =
        ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    }
    for (let i = 16; i < 64; i += 1) {
      const w15 = words[i - 15] ?? 0;
      const w2 = words[i - 2] ?? 0;
      const s0 = ((w15 >>> 7) | (w15 << 25)) ^ ((w15 >>> 18) | (w15 << 14)) ^ (w15 >>> 3);
      const s1 = ((w2 >>> 17) | (w2 << 15)) ^ ((w2 >>> 19) | (w2 << 13)) ^ (w2 >>> 10);
      words[i] = ((words[i - 16] ?? 0) + s0 + (words[i - 7] ?? 0) + s1) | 0;
    }
    let a = h0;
    let b = h1;
    let c = h2;
    let d = h3;
    let e = h4;
    let f = h5;
    let g = h6;
    let h = h7;
    for (let i = 0; i < 64; i += 1) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND_CONSTANTS[i] ?? 0) + (words[i] ?? 0)) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + s0 + ((b & c) ^ (b & d) ^ (c & d))) | 0;
    }
    h0 = (h0 + a) | 0;
    h1 = (h1 + b) | 0;
    h2 = (h2 + c) | 0;
    h3 = (h3 + d) | 0;
    h4 = (h4 + e) | 0;
    h5 = (h5 + f) | 0;
    h6 = (h6 + g) | 0;
    h7 = (h7 + h) | 0;
  }
  state[0] = h0;
  state[1] = h1;
  state[2] = h2;
  state[3] = h3;
  state[4] = h4;
  state[5] = h5;
  state[6] = h6;
  state[7] = h7;
}
