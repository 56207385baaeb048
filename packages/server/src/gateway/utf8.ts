const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

export interface DecodedText {
  readonly text: string;
  /** Invalid sequences were replaced by U+FFFD. */
  readonly repaired: boolean;
}

export function decodeUtf8(bytes: Uint8Array): DecodedText {
  try {
    return { text: strict.decode(bytes), repaired: false };
  } catch {
    return { text: lenient.decode(bytes), repaired: true };
  }
}
