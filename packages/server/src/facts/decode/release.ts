/**
 * Frees the memory of an unreferenced array. The runtime does not notice how much memory a few objects hold: it would
 * free it late, or only with a full collection.
 */
export function release({ buffer, byteLength }: ArrayBufferView): void {
  // A part of a larger buffer may share it.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
