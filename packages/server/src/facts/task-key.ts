/** A task: the events of one account with the same time text. Facts keep a 64-bit hash of its key. */
export interface TaskKeyHash {
  readonly high: number;
  readonly low: number;
}

export function taskKey(timestamp: string, sourceHash: string, authIndex: string): string {
  return `${timestamp}|${sourceHash}|${authIndex}`;
}

export function taskKeyHash(key: string): TaskKeyHash {
  const hash = Bun.hash.xxHash64(key);
  return { high: Number(hash >> 32n), low: Number(hash & 0xffff_ffffn) };
}
