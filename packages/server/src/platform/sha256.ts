/** Lower-case SHA-256 hex of the UTF-8 bytes of a text. */
export function sha256Hex(text: string): string {
  return Bun.SHA256.hash(text, 'hex');
}
