/** A result whose byte buffers are moved to the main thread: the operation must not use them afterwards. */
export class Transfer<Value> {
  readonly value: Value;
  readonly buffers: readonly ArrayBuffer[];

  constructor(value: Value, buffers: readonly ArrayBuffer[]) {
    this.value = value;
    this.buffers = buffers;
  }
}
