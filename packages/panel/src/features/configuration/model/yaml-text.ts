import {
  type Document,
  isMap,
  isScalar,
  LineCounter,
  type ParsedNode,
  parseAllDocuments,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import { readPlain } from './plain-yaml.ts';
import type { ConfigObject, ConfigValue } from './values.ts';

/** Why a text cannot be a configuration, with its place; lines and columns count from 1. */
export interface TextProblem {
  readonly kind: 'syntax' | 'duplicate' | 'documents' | 'mapping' | 'empty';
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Some settings of a text, which can be read without the rest. */
interface Part {
  /** Where it begins. */
  readonly from: number;
  readonly text: string;
  readonly values: ConfigObject;
  /** With places inside of the part. */
  readonly tree: () => YAMLMap.Parsed;
}

export type ReadText =
  | {
      readonly ok: true;
      readonly values: ConfigObject;
      /** In the order of the text; none = no setting. */
      readonly parts: readonly Part[];
    }
  | { readonly ok: false; readonly problems: readonly TextProblem[] };

/** A configuration may use anchors often; an alias bomb is far above. */
const MAX_ALIASES = 100_000;
/** One letter in front of the largest text makes a quarter of a million. */
const MAX_PROBLEMS = 100;
const OPTIONS = {
  keepSourceTokens: true,
  logLevel: 'silent',
  merge: true,
  prettyErrors: false,
  uniqueKeys: true,
} as const;

/** Reads a configuration as the gateway does: one document, a mapping, merge keys, no key twice. */
export function readText(text: string): ReadText {
  return readParts(text) ?? readWhole(text);
}

/** A key at the start of its line; other lines belong to the part before. */
const PART = /^[A-Za-z][\w-]*:(?=\s)/gm;
/** Marks of documents and of an encoding, lines that begin with a tab, and line breaks of other kinds. */
const INDIVISIBLE = /^(?:---|\.\.\.|%| *\t)|\r(?!\n)|[\ufeff\u2028\u2029]/m;
const EMPTY_LINES = /^(?: *(?:#.*)?\r?(?:\n|$))*$/;

/** Values of the parts that only the library reads, of the last text. */
let kept: ReadonlyMap<string, ConfigObject | null> = new Map();

/**
 * A part that can be read alone means the same inside of the text: what is open at its end, and an alias of another part, would be an
 * error. null = the parts cannot be told apart, or one has an error.
 */
function readParts(text: string): ReadText | null {
  if (INDIVISIBLE.test(text)) return null;
  const starts = Array.from(text.matchAll(PART), ({ index }) => index);
  if (!EMPTY_LINES.test(text.slice(0, starts[0]))) return null;
  const values: Record<string, ConfigValue> = {};
  const parts: Part[] = [];
  const used = new Map<string, ConfigObject | null>();
  for (const [index, from] of starts.entries()) {
    const part = text.slice(from, starts[index + 1]);
    let read = readPlain(part);
    if (read === null) {
      read = kept.get(part) ?? readByLibrary(part);
      used.set(part, read);
    }
    if (read === null) return null;
    for (const [key, value] of Object.entries(read)) {
      if (key in values) return null;
      values[key] = value;
    }
    parts.push({ from, text: part, values: read, tree: () => parseDocument(part, OPTIONS).contents as YAMLMap.Parsed });
  }
  kept = used;
  return { ok: true, values, parts };
}

function readByLibrary(part: string): ConfigObject | null {
  const document = parseDocument(part, OPTIONS);
  const { contents, errors } = document;
  if (errors.length > 0 || !isMap(contents)) return null;
  const isPlain = contents.items.every(({ key }) => isScalar(key) && typeof key.value === 'string');
  try {
    return isPlain ? (document.toJS({ maxAliasCount: MAX_ALIASES }) as ConfigObject) : null;
  } catch {
    return null;
  }
}

/** By the library alone, which also says what is wrong. */
export function readWhole(text: string): ReadText {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { ...OPTIONS, lineCounter: lines });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const none = { ok: true, values: {}, parts: [] } as const;
  if (!Array.isArray(documents)) return none;
  const [document, second] = documents as Document.Parsed<ParsedNode>[];
  if (document === undefined) return none;
  if (document.errors.length > 0) {
    const problems = document.errors.slice(0, MAX_PROBLEMS).map(({ code, message, pos }) => ({
      kind: code === 'DUPLICATE_KEY' ? ('duplicate' as const) : ('syntax' as const),
      message: message.split('\n')[0] ?? '',
      ...at(pos[0]),
    }));
    return { ok: false, problems };
  }
  if (second !== undefined)
    return { ok: false, problems: [{ kind: 'documents', message: '', ...at(second.range[0]) }] };
  const { contents } = document;
  if (!isMap(contents)) {
    // A file of comments alone has an empty scalar.
    if (contents === null || document.toJS() === null) return none;
    return { ok: false, problems: [{ kind: 'mapping', message: '', ...at(contents.range[0]) }] };
  }
  try {
    const values = document.toJS({ maxAliasCount: MAX_ALIASES }) as ConfigObject;
    return { ok: true, values, parts: [{ from: 0, text, values, tree: () => contents as YAMLMap.Parsed }] };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, problems: [{ kind: 'syntax', message, line: 1, column: 1 }] };
  }
}
