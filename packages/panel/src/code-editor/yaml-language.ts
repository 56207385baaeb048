import {
  foldService,
  HighlightStyle,
  StreamLanguage,
  type StringStream,
  syntaxHighlighting,
} from '@codemirror/language';
import type { Extension, Text } from '@codemirror/state';
import { tags } from '@lezer/highlight';

/** Members whose values are keys. */
const SECRET = /key$|^key|keys$|secret|token|password|authorization|cookie|credential/i;
/** Lists whose entries have members of their own. */
const LISTS = /^(?:gemini|interactions|codex|xai|claude|vertex)-api-key$/;

interface State {
  /** Member of this line; of a line before, while a list of it goes on. */
  member: string;
  /** Indent of a block text that goes on; -1 = none. */
  block: number;
  isBlockStart: boolean;
}

function token(stream: StringStream, state: State): string | null {
  if (stream.sol()) {
    if (state.isBlockStart) state.block = stream.indentation();
    state.isBlockStart = false;
    if (state.block >= 0 && stream.indentation() >= state.block && state.block > 0) {
      stream.skipToEnd();
      return SECRET.test(state.member) ? 'secret' : 'string';
    }
    if (stream.string.trim() !== '') state.block = -1;
  }
  if (stream.eatSpace()) return null;
  if (stream.match(/^(?:---|\.\.\.)\s*$/)) return 'meta';
  if (stream.peek() === '#') {
    stream.skipToEnd();
    return 'comment';
  }
  if (stream.match(/^-(?=\s|$)/)) return 'punctuation';
  const name = stream.match(/^(?:"([^"]*)"|'([^']*)'|([^\s#:,[\]{}"'&*!|>%@`-][^#:,[\]{}]*|-[^\s:]+))\s*(?=:(?:\s|$))/);
  if (Array.isArray(name)) {
    state.member = (name[1] ?? name[2] ?? name[3] ?? '').trim();
    return 'propertyName';
  }
  if (stream.match(/^[:,[\]{}?]/)) return 'punctuation';
  if (stream.match(/^[&*][^\s,[\]{}]+/) || stream.match(/^!\S*/)) return 'meta';
  if (stream.match(/^[|>][+-]?\d?[+-]?\s*(?=#|$)/)) {
    state.isBlockStart = true;
    return 'meta';
  }
  const secret = SECRET.test(state.member) && !LISTS.test(state.member);
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^']|'')*'?/)) return secret ? 'secret' : 'string';
  const plain = stream.match(/^[^\s#,[\]{}:](?:[^#,[\]{}:]|:(?!\s|$)|#)*?(?=\s*(?:$|\s#|[,[\]{}]|:\s))/);
  if (!Array.isArray(plain)) {
    stream.next();
    return null;
  }
  if (secret) return 'secret';
  return /^(?:true|false|null|~|[-+]?[\d.]+(?:e[-+]?\d+)?)$/i.test(plain[0] ?? '') ? 'atom' : 'string';
}

const language = StreamLanguage.define<State>({
  name: 'yaml',
  startState: () => ({ member: '', block: -1, isBlockStart: false }),
  copyState: (state) => ({ ...state }),
  token,
  languageData: { commentTokens: { line: '#' } },
  tokenTable: { secret: tags.special(tags.string) },
});

const style = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--ink-3)' },
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--ink)' },
  { tag: tags.special(tags.string), class: 'cm-secret' },
  { tag: tags.atom, color: 'var(--ok)' },
  { tag: [tags.meta, tags.punctuation], color: 'var(--ink-2)' },
]);

/** Looking further than this for the end of a part would be felt while typing. */
const MAX_FOLDED_LINES = 5_000;

function foldedPart(doc: Text, start: number): { readonly from: number; readonly to: number } | null {
  const first = doc.lineAt(start);
  const indent = /^ *(?=[^\s#])/.exec(first.text)?.[0].length;
  if (indent === undefined || !/:\s*(?:[|>&#].*)?$/.test(first.text)) return null;
  let to = -1;
  let at = first.to + 1;
  const lines = doc.iterLines(first.number + 1, Math.min(doc.lines, first.number + MAX_FOLDED_LINES) + 1);
  for (const line of lines) {
    const inner = /^ *(?=\S)/.exec(line)?.[0].length;
    if (inner !== undefined) {
      if (inner < indent || (inner === indent && !line.startsWith('- ', inner))) break;
      to = at + line.length;
    }
    at += line.length + 1;
  }
  return to < 0 ? null : { from: first.to, to };
}

/** Colors, folding by indent, and which values are keys. A parser of the whole text would be four times the code. */
export function yamlLanguage(): Extension {
  return [language, syntaxHighlighting(style), foldService.of(({ doc }, from) => foldedPart(doc, from))];
}
