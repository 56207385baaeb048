import { type ReadText, readText } from './yaml-text.ts';

/** Reading takes a second for the largest texts, and one save reads the same ones several times. */
const KEPT = 3;

const kept = new Map<string, ReadText>();

export function readOnce(text: string): ReadText {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const read = readText(text);
  kept.set(text, read);
  for (const oldest of kept.keys()) if (kept.size > KEPT) kept.delete(oldest);
  return read;
}
