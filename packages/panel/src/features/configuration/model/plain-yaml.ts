import { parseDocument } from 'yaml';
import type { ConfigObject, ConfigValue } from './values.ts';

// The YAML that programs write: block mappings and lists, values of one line. What is read here is what the library reads, in a
// thirtieth of its time; everything else is left to it.

/** A text in every schema, neither a number nor a merge key. */
const KEY = /(?:([A-Za-z][\w./-]{0,200})|"([A-Za-z][^"\\]{0,200})"):(?= |$)/y;
const QUOTED = /(?:"((?:[^"\\]|\\["\\/nt])*)"|'((?:[^']|'')*)')(?: *$| +#)/y;
const EMPTY = /(?:(\[\])|\{\})(?: *$| +#)/y;
const PLAIN = /(?:[A-Za-z0-9/.$~\u00c0-\ud7ff]|[-+](?=[A-Za-z0-9.]))[^#]*(?:(?<! )#[^#]*)*/y;
/** Plain values that may be no text. */
const TYPED = /^(?:~|null|true|false|[-+]?(?:0o[0-7]+|0x[\da-f]+|\.inf|\.nan|(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?))$/i;
const INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;
/** Tabs, control characters, and what may be taken for a line break or the mark of an encoding. */
const UNUSUAL = /[^\n\r -~\u00a0-\u2027\u2030-\ufefe]|\r(?!\n)/;

/** Any value as not read. */
class Unread extends Error {}

/**
 * The values of a mapping whose keys begin their lines; null = it takes the library to read it, or it cannot be read.
 *
 * @example readPlain('a:\n  - 1 # one\n') // { a: [1] }
 */
export function readPlain(text: string): ConfigObject | null {
  if (UNUSUAL.test(text)) return null;
  try {
    return readLines(text);
  } catch (error) {
    if (error instanceof Unread) return null;
    throw error;
  }
}

function readLines(text: string): ConfigObject {
  /** The next line with content: its indent, -1 = none; where the content and the next line begin. */
  let [indent, from, next] = [-1, 0, 0] as [number, number, number];
  /** The line without its break. */
  let line = '';

  function advance(): void {
    while (next < text.length) {
      const found = text.indexOf('\n', next);
      const end = found === -1 ? text.length : found;
      line = text.slice(next, end > next && text[end - 1] === '\r' ? end - 1 : end);
      next = end + 1;
      indent = 0;
      while (line[indent] === ' ') indent++;
      from = indent;
      if (from < line.length && line[from] !== '#') return;
    }
    indent = -1;
  }

  /** A mapping whose first key is ahead on this line. */
  function map(column: number): ConfigObject {
    const values: Record<string, ConfigValue> = {};
    do {
      const key = keyAhead();
      if (key === null || key in values) throw new Unread();
      if (atEnd()) {
        advance();
        // A list may stand below its key without a step to the right.
        values[key] = indent > column || (indent === column && dashAhead()) ? block(indent) : null;
      } else values[key] = scalar();
    } while (indent === column);
    return values;
  }

  function list(column: number): ConfigValue[] {
    const items: ConfigValue[] = [];
    do {
      if (!dashAhead()) throw new Unread();
      from++;
      if (atEnd()) {
        advance();
        items.push(indent > column ? block(indent) : null);
      } else {
        KEY.lastIndex = from;
        items.push(KEY.test(line) ? map(from) : scalar());
      }
    } while (indent === column && dashAhead());
    return items;
  }

  const block = (column: number): ConfigValue => (dashAhead() ? list(column) : map(column));

  const dashAhead = () => line[from] === '-' && (from + 1 === line.length || line[from + 1] === ' ');

  /** Goes to what follows on the line; whether nothing does. */
  function atEnd(): boolean {
    while (line[from] === ' ') from++;
    return from >= line.length || line[from] === '#';
  }

  function keyAhead(): string | null {
    KEY.lastIndex = from;
    const found = KEY.exec(line);
    if (found === null) return null;
    from = KEY.lastIndex;
    const key = found[1] ?? found[2] ?? '';
    return /^(?:null|true|false)$/i.test(key) ? null : key;
  }

  /** The rest of the line. */
  function scalar(): ConfigValue {
    const value = valueAhead();
    advance();
    return value;
  }

  function valueAhead(): ConfigValue {
    QUOTED.lastIndex = EMPTY.lastIndex = PLAIN.lastIndex = from;
    const quoted = QUOTED.exec(line);
    if (quoted !== null) {
      const [, double, single = ''] = quoted;
      if (double === undefined) return single.replaceAll("''", "'");
      return double.includes('\\') ? (JSON.parse(`"${double}"`) as string) : double;
    }
    const empty = EMPTY.exec(line);
    if (empty !== null) return empty[1] === undefined ? {} : [];
    const plain = PLAIN.exec(line)?.[0].trimEnd() ?? '';
    if (plain === '' || plain.endsWith(':') || plain.includes(': ')) throw new Unread();
    return TYPED.test(plain) ? typed(plain) : plain;
  }

  advance();
  const values = map(from);
  // A line that is further right than the one that it follows, or between two columns, is left.
  if (indent >= 0) throw new Unread();
  return values;
}

function typed(plain: string): ConfigValue {
  return INTEGER.test(plain) ? Number(plain) : (parseDocument(plain).toJS() as ConfigValue);
}
