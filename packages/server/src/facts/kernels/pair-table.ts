import { release } from '../decode/release.ts';

/** Numbers pairs of small numbers in order of appearance. */
export interface PairTable {
  count(): number;
  /** Writes the number of each pair; `into` may be one of the lists. Parts are below the given counts. */
  number(
    left: Uint32Array,
    leftCount: number,
    right: Uint32Array,
    rightCount: number,
    rows: number,
    into: Uint32Array,
  ): void;
  leftOf(pair: number): number;
  rightOf(pair: number): number;
  clone(): PairTable;
  bytes(): number;
  /** Frees its memory. */
  release(): void;
}

interface Content {
  /** Pair + 1 at `left * stride + right`, or by hash where that would be too long; 0 = not seen. */
  slots: Uint32Array;
  /** Above every right part so far; a power of two. */
  stride: number;
  /** False: slots are found by hash. */
  isDirect: boolean;
  lefts: Uint32Array;
  rights: Uint32Array;
  count: number;
}

/** Longest directly indexed table. */
const DIRECT_SLOTS = 1 << 19;
const FIRST_PAIRS = 64;

export function createPairTable(): PairTable {
  return pairTable({
    slots: new Uint32Array(FIRST_PAIRS),
    stride: 1,
    isDirect: true,
    lefts: new Uint32Array(FIRST_PAIRS),
    rights: new Uint32Array(FIRST_PAIRS),
    count: 0,
  });
}

function pairTable(content: Content): PairTable {
  function number(
    left: Uint32Array,
    leftCount: number,
    right: Uint32Array,
    rightCount: number,
    rows: number,
    into: Uint32Array,
  ): void {
    prepare(content, leftCount, rightCount);
    // In blocks, so that space for new pairs is allocated outside the loop.
    for (let from = 0; from < rows; ) {
      const room = makeRoom(content);
      const to = Math.min(rows, from + room);
      if (content.isDirect) numberDirectly(content, left, right, from, to, into);
      else numberByHash(content, left, right, from, to, into);
      from = to;
    }
  }

  return {
    count: () => content.count,
    number,
    leftOf: (pair) => content.lefts[pair] ?? 0,
    rightOf: (pair) => content.rights[pair] ?? 0,
    clone: () =>
      pairTable({
        ...content,
        slots: content.slots.slice(),
        lefts: content.lefts.slice(),
        rights: content.rights.slice(),
      }),
    bytes: () => content.slots.byteLength + content.lefts.byteLength + content.rights.byteLength,
    release: () => {
      for (const array of [content.slots, content.lefts, content.rights]) release(array);
    },
  };
}

/** Enlarges the direct table for all parts, or switches to hashing. */
function prepare(content: Content, leftCount: number, rightCount: number): void {
  if (!content.isDirect) return;
  const stride = Math.max(content.stride, powerOfTwo(rightCount));
  const needed = powerOfTwo(leftCount) * stride;
  if (needed > DIRECT_SLOTS) {
    content.isDirect = false;
    fillHashed(content, content.lefts.length * 4);
  } else if (stride > content.stride || needed > content.slots.length) {
    content.stride = stride;
    content.slots = new Uint32Array(Math.max(needed, content.slots.length));
    for (let pair = 0; pair < content.count; pair++) {
      content.slots[(content.lefts[pair] ?? 0) * stride + (content.rights[pair] ?? 0)] = pair + 1;
    }
  }
}

/** @returns how many pairs can be added now */
function makeRoom(content: Content): number {
  const { lefts, rights, count } = content;
  if (count * 2 > lefts.length) {
    content.lefts = enlarged(lefts);
    content.rights = enlarged(rights);
    // At most a quarter full, so that a look-up by hash is short.
    if (!content.isDirect) fillHashed(content, content.lefts.length * 4);
  }
  return content.lefts.length - count;
}

function fillHashed(content: Content, length: number): void {
  const { lefts, rights, count } = content;
  const slots = new Uint32Array(length);
  const mask = length - 1;
  for (let pair = 0; pair < count; pair++) {
    let slot = hash(lefts[pair] ?? 0, rights[pair] ?? 0) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = pair + 1;
  }
  content.slots = slots;
}

function numberDirectly(
  content: Content,
  left: Uint32Array,
  right: Uint32Array,
  from: number,
  to: number,
  into: Uint32Array,
): void {
  const { slots, stride, lefts, rights } = content;
  let { count } = content;
  for (let index = from; index < to; index++) {
    const leftPart = left[index] ?? 0;
    const rightPart = right[index] ?? 0;
    const slot = leftPart * stride + rightPart;
    let pair = slots[slot] ?? 0;
    if (pair === 0) {
      lefts[count] = leftPart;
      rights[count] = rightPart;
      count++;
      pair = count;
      slots[slot] = pair;
    }
    into[index] = pair - 1;
  }
  content.count = count;
}

function numberByHash(
  content: Content,
  left: Uint32Array,
  right: Uint32Array,
  from: number,
  to: number,
  into: Uint32Array,
): void {
  const { slots, lefts, rights } = content;
  const mask = slots.length - 1;
  let { count } = content;
  for (let index = from; index < to; index++) {
    const leftPart = left[index] ?? 0;
    const rightPart = right[index] ?? 0;
    let slot = hash(leftPart, rightPart) & mask;
    let pair = slots[slot] ?? 0;
    while (pair !== 0 && (lefts[pair - 1] !== leftPart || rights[pair - 1] !== rightPart)) {
      slot = (slot + 1) & mask;
      pair = slots[slot] ?? 0;
    }
    if (pair === 0) {
      lefts[count] = leftPart;
      rights[count] = rightPart;
      count++;
      pair = count;
      slots[slot] = pair;
    }
    into[index] = pair - 1;
  }
  content.count = count;
}

function hash(left: number, right: number): number {
  const mixed = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

function powerOfTwo(least: number): number {
  let power = 1;
  while (power < least) power *= 2;
  return power;
}

function enlarged(list: Uint32Array): Uint32Array {
  const wide = new Uint32Array(list.length * 2);
  wide.set(list);
  return wide;
}
