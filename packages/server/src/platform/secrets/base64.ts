/** Standard alphabet without padding, the form in which every key and digest is stored. */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}

/** Decodes unpadded standard base64, or null: the runtime's own decoder skips invalid characters. */
export function fromBase64(text: string): Buffer | null {
  if (!/^[A-Za-z0-9+/]*$/.test(text) || text.length % 4 === 1) return null;
  return Buffer.from(text, 'base64');
}
