import { type Document, isMap, LineCounter, type ParsedNode, parseAllDocuments } from 'yaml';
import type { ConfigObject } from './values.ts';

/** Why a text cannot be a configuration, with its place; lines and columns count from 1. */
export interface TextProblem {
  readonly kind: 'syntax' | 'duplicate' | 'documents' | 'mapping' | 'empty';
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type ReadText =
  | { readonly ok: true; readonly values: ConfigObject; readonly document: Document.Parsed<ParsedNode> | null }
  | { readonly ok: false; readonly problems: readonly TextProblem[] };

/** A configuration may use anchors often; an alias bomb is far above. */
const MAX_ALIASES = 100_000;

/** Reads a configuration as the gateway does: one document, a mapping, merge keys, no key twice. */
export function readText(text: string): ReadText {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, {
    keepSourceTokens: true,
    lineCounter: lines,
    logLevel: 'silent',
    merge: true,
    prettyErrors: false,
    uniqueKeys: true,
  });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  if (!Array.isArray(documents) || documents.length === 0) return { ok: true, values: {}, document: null };
  const [document, second] = documents as Document.Parsed<ParsedNode>[];
  if (document === undefined) return { ok: true, values: {}, document: null };
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ code, message, pos }) => ({
      kind: code === 'DUPLICATE_KEY' ? ('duplicate' as const) : ('syntax' as const),
      message: message.split('\n')[0] ?? '',
      ...at(pos[0]),
    }));
    return { ok: false, problems };
  }
  if (second !== undefined)
    return { ok: false, problems: [{ kind: 'documents', message: '', ...at(second.range[0]) }] };
  if (document.contents === null) return { ok: true, values: {}, document: null };
  if (!isMap(document.contents)) {
    // A file of comments alone has an empty scalar.
    if (document.toJS() === null) return { ok: true, values: {}, document: null };
    return { ok: false, problems: [{ kind: 'mapping', message: '', ...at(document.contents.range[0]) }] };
  }
  try {
    return { ok: true, values: document.toJS({ maxAliasCount: MAX_ALIASES }) as ConfigObject, document };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, problems: [{ kind: 'syntax', message, line: 1, column: 1 }] };
  }
}
