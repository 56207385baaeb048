/**
 * Frees the memory behind an array that nothing refers to any more. The runtime does not see how much hangs on few objects: it
 * would free them late, or with a look at everything else when it is told to.
 */
export function release({ buffer, byteLength }: ArrayBufferView): void {
  // A part of a larger buffer may have neighbours.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
