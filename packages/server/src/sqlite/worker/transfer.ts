/** A result whose byte buffers are moved to the main thread: the operation must not use them afterwards. */
export class Transfer<Value> {
  readonly value: Value;
  readonly buffers: readonly ArrayBuffer[];
  /** Bytes that the main thread has more of than before: buffers that came with the arguments do not count. */
  readonly newBytes: number;

  constructor(value: Value, buffers: readonly ArrayBuffer[], given: ArrayBuffer | null = null) {
    this.value = value;
    this.buffers = buffers;
    const bytes = buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
    this.newBytes = given !== null && buffers.includes(given) ? bytes - given.byteLength : bytes;
  }
}
