/** SHA-256 of UTF-8 text as hex. The browser's own when the page is a secure context, else a small one of ours. */
export async function sha256Hex(text: string): Promise<string> {
  const subtle = globalThis.crypto?.subtle;
  if (subtle === undefined) return sha256HexSync(text);
  return hex(new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Fractional parts of roots of the first primes, as FIPS 180-4 defines its constants. */
function rootFractions(count: number, exponent: number): Uint32Array {
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
  return fractions;
}

const ROUND_CONSTANTS = rootFractions(64, 1 / 3);
const START = rootFractions(8, 1 / 2);

const rotate = (value: number, bits: number): number => (value >>> bits) | (value << (32 - bits));

export function sha256HexSync(text: string): string {
  const data = new TextEncoder().encode(text);
  const padded = new Uint8Array(Math.ceil((data.length + 9) / 64) * 64);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor((data.length * 8) / 2 ** 32));
  view.setUint32(padded.length - 4, (data.length * 8) >>> 0);

  const state = Uint32Array.from(START);
  const at = (array: Uint32Array, index: number): number => array[index] ?? 0;
  const words = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(block + i * 4);
    for (let i = 16; i < 64; i += 1) {
      const w15 = at(words, i - 15);
      const w2 = at(words, i - 2);
      const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
      const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
      words[i] = at(words, i - 16) + s0 + at(words, i - 7) + s1;
    }
    const v = Uint32Array.from(state);
    for (let i = 0; i < 64; i += 1) {
      const [a, b, c, d, e, f, g, h] = [at(v, 0), at(v, 1), at(v, 2), at(v, 3), at(v, 4), at(v, 5), at(v, 6), at(v, 7)];
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(ROUND_CONSTANTS, i) + at(words, i)) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      v.set([t1 + t2, a, b, c, d + t1, e, f, g]);
    }
    for (let i = 0; i < 8; i += 1) state[i] = at(state, i) + at(v, i);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}
