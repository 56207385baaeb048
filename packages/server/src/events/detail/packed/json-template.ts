import { metadataObject } from '@manager/core/usage/metadata-text';

/** The shape of a JSON object whose values, put between its pieces, give the text that `JSON.stringify` would write. */
export interface JsonTemplate {
  /** One more than there are values. */
  readonly pieces: readonly Uint8Array[];
  /** Whether the value after the piece of the same place is in quotes. */
  readonly quoted: readonly boolean[];
}

const HOLE = '\u0000';
/** A whole value, alone or in quotes, between what may be around it. */
const WHOLE_VALUE = /[:,[](?:\u0000|"\u0000")(?=[,\]}])/g;
const encoder = new TextEncoder();

/**
 * Null when the object has to be parsed and written again: white space, names in another order or twice, escapes that are
 * not needed, no object at all. Where one sample is written again as it was, so is every object of this shape whose values
 * are: they do not change how the rest is read.
 */
export function jsonTemplate(template: string): JsonTemplate | null {
  const pieces = template.split(HOLE);
  const quoted = pieces.slice(0, -1).map((piece) => piece.endsWith('"'));
  if ((template.match(WHOLE_VALUE)?.length ?? 0) !== quoted.length) return null;
  const sample = template.replaceAll(HOLE, '0');
  const object = metadataObject(sample);
  if (object === null || JSON.stringify(object) !== sample) return null;
  return { pieces: pieces.map((piece) => encoder.encode(piece)), quoted };
}

/** Whether a text between quotes is written again as it was when it is parsed. */
export function isCanonicalText(source: string): boolean {
  const json = `"${source}"`;
  try {
    return JSON.stringify(JSON.parse(json)) === json;
  } catch {
    return false;
  }
}
