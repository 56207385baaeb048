import { FIELDS, fieldId, readField } from './fields.ts';
import { isList, isObject, type Path } from './values.ts';
import type { ReadText } from './yaml-text.ts';

/** A setting whose value the gateway does not accept, with its place; lines and columns count from 1. */
export interface Misfit {
  readonly id: string;
  /** On one line. */
  readonly value: string;
  readonly line: number;
  readonly column: number;
}

type Readable = Extract<ReadText, { ok: true }>;

/** Longer values are cut. */
const SHOWN_CHARACTERS = 40;

/** By the table of fields, as the visual mode does. */
export function misfitsOf(text: string, read: Readable): Misfit[] {
  return FIELDS.flatMap((field) => {
    const found = readField(read.values, field);
    if (found.state !== 'invalid') return [];
    const { value } = found;
    const before = text.slice(0, offsetOf(read, field.path));
    return {
      id: fieldId(field),
      // Parts may hold anything, secrets too.
      value: isList(value) ? '[…]' : isObject(value) ? '{…}' : String(value).slice(0, SHOWN_CHARACTERS),
      line: before.split('\n').length,
      column: before.length - before.lastIndexOf('\n'),
    };
  });
}

/** Of a value, else of the nearest key above it: what a merge key or an alias brings has no place of its own. */
function offsetOf({ parts }: Readable, path: Path): number {
  const [key = ''] = path;
  const part = parts.find(({ values }) => Object.hasOwn(values, key));
  if (part === undefined) return 0;
  const tree = part.tree();
  const node = (tree.getIn(path, true) ?? tree.items.find((pair) => String(pair.key) === key)?.key) as
    | { readonly range?: readonly [number, ...number[]] | null }
    | undefined;
  return part.from + (node?.range?.[0] ?? 0);
}
