import { type Fragment, fragment, JsonWriter } from './json-writer.ts';

const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, COMMA] = ['[', ']', '{', '}', ','].map(fragment) as [
  Fragment,
  Fragment,
  Fragment,
  Fragment,
  Fragment,
];

/** A list of an answer whose rows are written one by one, together with the answer. */
export class WrittenList<Row> {
  /** The row type for readers of the JSON. */
  declare readonly row: Row;
  readonly length: number;
  readonly #write: (out: JsonWriter, index: number) => void;

  constructor(length: number, write: (out: JsonWriter, index: number) => void) {
    this.length = length;
    this.#write = write;
  }

  write(out: JsonWriter): void {
    writeList(out, this.length, this.#write);
  }
}

/** Type of an answer in which any list may be a written one. */
export type Writable<Answer> = {
  readonly [Name in keyof Answer]: Answer[Name] extends readonly (infer Row)[] | undefined
    ? Answer[Name] | WrittenList<Row>
    : Answer[Name];
};

export function writeList(out: JsonWriter, length: number, write: (out: JsonWriter, index: number) => void): void {
  out.fragment(OPEN_LIST);
  for (let index = 0; index < length; index++) {
    if (index > 0) out.fragment(COMMA);
    write(out, index);
  }
  out.fragment(CLOSE_LIST);
}

/**
 * Writes a list inside of a row, and how many there are where the limit leaves some out; nothing for an empty list.
 *
 * @param limit most entries, the first in their order
 */
export function subRows(
  name: string,
  limit: number,
  write: (out: JsonWriter, entry: number) => void,
): (out: JsonWriter, entries: Uint32Array, order: (a: number, b: number) => number) => void {
  const member = fragment(`,"${name}":`);
  const total = fragment(`,"${name}_total":`);
  return (out, entries, order) => {
    const count = Math.min(entries.length, limit);
    if (count > 0) {
      const sorted = entries.sort(order);
      out.fragment(member);
      writeList(out, count, (_, index) => write(out, sorted[index] ?? 0));
    }
    if (count < entries.length) {
      out.fragment(total);
      out.value(entries.length);
    }
  };
}

/** The JSON of an answer with written lists among its members or those of its objects. */
export function jsonOf(answer: object): Fragment[] {
  const out = new JsonWriter();
  writeAnswer(out, answer);
  return out.finish();
}

function writeAnswer(out: JsonWriter, answer: unknown): void {
  if (answer instanceof WrittenList) {
    answer.write(out);
  } else if (hasWrittenList(answer)) {
    out.fragment(OPEN_OBJECT);
    let isFirst = true;
    for (const [name, value] of Object.entries(answer)) {
      if (value === undefined) continue;
      if (!isFirst) out.fragment(COMMA);
      isFirst = false;
      out.fragment(fragment(`${JSON.stringify(name)}:`));
      writeAnswer(out, value);
    }
    out.fragment(CLOSE_OBJECT);
  } else {
    out.value(answer);
  }
}

function hasWrittenList(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).some((member) => member instanceof WrittenList || hasWrittenList(member));
}
