import {
  type CST,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { readOnce } from './cached-reader.ts';
import { isBlock, type Quote, renderBlock, renderFlow, renderPair, renderScalar } from './render.ts';
import { type ConfigObject, type ConfigValue, isList, isObject, type Path, sameValue, withValue } from './values.ts';
import { type ReadText, readWhole, type TextProblem } from './yaml-text.ts';

export interface Edit {
  readonly path: Path;
  /** undefined removes the setting. */
  readonly value: ConfigValue | undefined;
}

export type EditedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: 'unreadable'; readonly problems: readonly TextProblem[] }
  /** The place is written in a way that no change of this text alone gives exactly these values, such as a shared anchor. */
  | { readonly ok: false; readonly reason: 'shared' };

/** A part of the text that is replaced. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

type Readable = Extract<ReadText, { ok: true }>;

interface Source {
  readonly text: string;
  readonly newline: string;
  readonly splices: Splice[];
}

/**
 * Changes settings in the text of a configuration: everything else stays byte by byte. What came out is read again and must
 * have exactly the wanted values.
 */
export function editText(text: string, edits: readonly Edit[]): EditedText {
  const read = readOnce(text);
  if (!read.ok) return { ok: false, reason: 'unreadable', problems: read.problems };
  const wanted = edits.reduce<ConfigObject>((values, { path, value }) => withValue(values, path, value), read.values);
  if (sameValue(read.values, wanted)) return { ok: true, text };
  const source: Source = { text, newline: text.includes('\r\n') ? '\r\n' : '\n', splices: [] };
  changeParts(source, read, wanted);
  const edited = apply(source);
  const after = readOnce(edited);
  return after.ok && sameValue(after.values, wanted) ? { ok: true, text: edited } : { ok: false, reason: 'shared' };
}

function apply({ text, splices }: Source): string {
  // Of two at one place the first comes first.
  const ordered = splices
    .map((splice, index) => ({ ...splice, index }))
    .sort((a, b) => b.from - a.from || b.to - a.to || b.index - a.index);
  return ordered.reduce((edited, { from, to, text: part }) => edited.slice(0, from) + part + edited.slice(to), text);
}

/** Only the parts that change are read with their places, which takes a second for the largest texts. */
function changeParts(source: Source, { values, parts }: Readable, after: ConfigObject): void {
  if (parts.length === 0) {
    appendAll(source, after);
    return;
  }
  const isCleared = Object.keys(values).every((key) => !Object.hasOwn(after, key));
  if (parts.length > 1 && isCleared) {
    const whole = readWhole(source.text);
    if (whole.ok) changeParts(source, whole, after);
    return;
  }
  const last = parts.at(-1);
  for (const part of parts) {
    // What is new stands at the end.
    const added = part === last ? Object.entries(after).filter(([key]) => !Object.hasOwn(values, key)) : [];
    const kept = Object.keys(part.values).filter((key) => Object.hasOwn(after, key));
    const changed = Object.fromEntries([...kept.map((key) => [key, after[key] ?? null] as const), ...added]);
    if (sameValue(part.values, changed)) continue;
    const inner: Source = { ...source, text: part.text, splices: [] };
    if (parts.length === 1) changeMap(inner, part.tree(), part.values, changed);
    else changePairs(inner, part.tree(), part.values, changed);
    const moved = inner.splices.map((splice) => ({
      ...splice,
      from: splice.from + part.from,
      to: splice.to + part.from,
    }));
    source.splices.push(...moved);
  }
}

/** Into a file without any setting. */
function appendAll(source: Source, values: ConfigObject): void {
  const { text, newline } = source;
  const start = text === '' || text.endsWith('\n') ? '' : newline;
  const lines = renderBlock(values, 0).join(newline);
  source.splices.push({ from: text.length, to: text.length, text: `${start}${lines}${newline}` });
}

type MapNode = YAMLMap.Parsed;
type SeqNode = YAMLSeq.Parsed;
type PairNode = Pair<ParsedNode, ParsedNode | null> & { srcToken?: CST.CollectionItem };

const isFlow = (node: MapNode | SeqNode): boolean => node.flow === true;

function changeMap(source: Source, node: MapNode, before: ConfigObject, after: ConfigObject): void {
  const { removed, added } = changedKeys(node, before, after);
  const isRewritten = isFlow(node) || node.items.length === removed.length;
  if (isRewritten && removed.length + added.length > 0) replaceCollection(source, node, after);
  else changePairs(source, node, before, after);
}

function changedKeys(node: MapNode, before: ConfigObject, after: ConfigObject) {
  const written = new Set((node.items as PairNode[]).map(keyText));
  return {
    removed: Object.keys(before).filter((key) => !Object.hasOwn(after, key)),
    added: Object.keys(after).filter((key) => !written.has(key) && !sameValue(before[key], after[key])),
  };
}

function changePairs(source: Source, node: MapNode, before: ConfigObject, after: ConfigObject): void {
  const { removed, added } = changedKeys(node, before, after);
  for (const pair of node.items as PairNode[]) {
    const key = keyText(pair);
    if (removed.includes(key)) removeLines(source, startOf(pair.key), endOfPair(pair));
    else if (!sameValue(before[key], after[key]))
      changePair(source, pair, before[key] ?? null, after[key] ?? null, indentOf(node));
  }
  const lines = added.flatMap((key) => renderPair(key, after[key] ?? null, indentOf(node)));
  insertLines(source, endOf(node), lines);
}

function changePair(source: Source, pair: PairNode, before: ConfigValue, after: ConfigValue, indent: number): void {
  const { value } = pair;
  if (isMap(value) && isObject(before) && isObject(after) && isBlock(before) && isBlock(after))
    changeMap(source, value as MapNode, before, after);
  else if (isSeq(value) && isList(before) && isList(after) && isBlock(before) && isBlock(after))
    changeSeq(source, value as SeqNode, before, after);
  else if (!isBlock(after) && value !== null && !isBlockCollection(value) && value.range[1] > value.range[0])
    replaceScalar(source, value, after);
  else replaceAfterColon(source, pair, after, indent);
}

function changeSeq(source: Source, node: SeqNode, before: readonly ConfigValue[], after: readonly ConfigValue[]): void {
  const items = node.items as ParsedNode[];
  let head = 0;
  while (head < before.length && head < after.length && sameValue(before[head], after[head])) head++;
  let tail = 0;
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    sameValue(before[before.length - 1 - tail], after[after.length - 1 - tail])
  )
    tail++;
  const structural = before.length !== after.length;
  if (structural && (isFlow(node) || !dashesBeginLines(source, node))) {
    replaceCollection(source, node, after);
    return;
  }
  const oldCount = before.length - head - tail;
  const newCount = after.length - head - tail;
  const shared = Math.min(oldCount, newCount);
  for (let index = head; index < head + shared; index++) {
    const item = items[index];
    if (item === undefined) continue;
    const [old = null, next = null] = [before[index], after[index]];
    if (isMap(item) && isObject(old) && isObject(next) && isBlock(next)) changeMap(source, item as MapNode, old, next);
    else if (isSeq(item) && isList(old) && isList(next) && isBlock(next)) changeSeq(source, item as SeqNode, old, next);
    else if (!isBlockCollection(item) && item.range[1] > item.range[0]) replaceScalar(source, item, next);
    else source.splices.push({ from: startOf(item), to: endOf(item), text: renderFlow(next) });
  }
  for (let index = head + shared; index < head + oldCount; index++) {
    const item = items[index];
    if (item !== undefined) removeLines(source, dashOf(node, index), endOf(item));
  }
  const added = after.slice(head + shared, head + newCount);
  if (added.length === 0) return;
  const lines = renderBlock(added, indentOf(node));
  const previous = items[head + shared - 1];
  if (previous !== undefined) insertLines(source, endOf(previous), lines);
  else {
    const from = lineStart(source.text, dashOf(node, 0));
    source.splices.push({ from, to: from, text: lines.map((line) => line + source.newline).join('') });
  }
}

/** A scalar, an alias or a flow collection by a text on the same line; an anchor before it stays. */
function replaceScalar(source: Source, node: ParsedNode, after: ConfigValue): void {
  const text =
    isBlock(after) || isList(after) || isObject(after) ? renderFlow(after) : renderScalar(after, quoteOf(node));
  source.splices.push({ from: node.range[0], to: endOf(node), text });
}

function quoteOf(node: ParsedNode): Quote {
  if (!isScalar(node)) return 'plain';
  if (node.type === 'QUOTE_SINGLE') return 'single';
  return node.type === 'QUOTE_DOUBLE' ? 'double' : 'plain';
}

function replaceCollection(source: Source, node: MapNode | SeqNode, after: ConfigValue): void {
  const indent = isFlow(node) ? 0 : indentOf(node);
  if (isFlow(node) || !isBlock(after)) {
    // A block collection begins on a line of its own or after a dash; an empty one may stand there too.
    source.splices.push({ from: startOf(node), to: endOf(node), text: renderFlow(after) });
    return;
  }
  const [first = '', ...rest] = renderBlock(after, indent);
  const text = [first.trimStart(), ...rest].join(source.newline);
  source.splices.push({ from: startOf(node), to: endOf(node), text });
}

/** Gives a member another kind of value: on its line, or below it. A comment behind the key stays. */
function replaceAfterColon(source: Source, pair: PairNode, after: ConfigValue, indent: number): void {
  const colon = colonEnd(pair);
  const end = endOfPair(pair);
  const { text, newline } = source;
  if (!isBlock(after)) {
    const empty = pair.value === null || end === colon;
    const below = pair.value !== null && isBlockCollection(pair.value);
    if (empty) source.splices.push({ from: colon, to: colon, text: ` ${renderFlow(after)}` });
    else if (below) {
      source.splices.push({ from: colon, to: colon, text: ` ${renderFlow(after)}` });
      source.splices.push({ from: lineEnd(text, colon), to: lineEnd(text, end - 1), text: '' });
    } else source.splices.push({ from: colon, to: end, text: ` ${renderFlow(after)}` });
    return;
  }
  if (end > colon) source.splices.push({ from: colon, to: end, text: '' });
  const at = lineEnd(text, Math.max(colon, end) - 1);
  const lines = renderBlock(after, indent + 2).map((line) => newline + line);
  source.splices.push({ from: at, to: at, text: lines.join('') });
}

function insertLines({ text, newline, splices }: Source, end: number, lines: readonly string[]): void {
  if (lines.length === 0) return;
  const at = lineEnd(text, end - 1);
  splices.push({ from: at, to: at, text: lines.map((line) => newline + line).join('') });
}

/** Removes whole lines, the comment behind the value included. */
function removeLines({ text, splices }: Source, from: number, end: number): void {
  const next = text.indexOf('\n', Math.max(end - 1, from));
  splices.push({ from: lineStart(text, from), to: next === -1 ? text.length : next + 1, text: '' });
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Before the line break. */
function lineEnd(text: string, offset: number): number {
  const next = text.indexOf('\n', Math.max(offset, 0));
  if (next === -1) return text.length;
  return text[next - 1] === '\r' ? next - 1 : next;
}

function keyText(pair: PairNode): string {
  return isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
}

function isBlockCollection(node: ParsedNode): boolean {
  return isCollection(node) && node.flow !== true;
}

function indentOf(node: MapNode | SeqNode): number {
  const token = node.srcToken;
  return token !== undefined && 'indent' in token ? token.indent : 0;
}

function startOf(node: ParsedNode): number {
  if (isSeq(node) && node.flow !== true) return dashOf(node as SeqNode, 0);
  const [first] = isMap(node) && node.flow !== true ? (node.items as PairNode[]) : [];
  return first === undefined ? node.range[0] : startOf(first.key);
}

/** Behind the last character that is content: ranges of collections also hold comments and empty lines. */
function endOf(node: ParsedNode): number {
  if (isBlockCollection(node)) {
    if (isMap(node)) {
      const last = (node.items as PairNode[]).at(-1);
      return last === undefined ? node.range[1] : endOfPair(last);
    }
    const items = (node as SeqNode).items as ParsedNode[];
    const last = items.at(-1);
    return last === undefined ? node.range[1] : Math.max(endOf(last), dashOf(node as SeqNode, items.length - 1) + 1);
  }
  if (isAlias(node) || !isScalar(node) || (node.type !== 'BLOCK_LITERAL' && node.type !== 'BLOCK_FOLDED'))
    return node.range[1];
  const token = node.srcToken;
  const length = token !== undefined && 'source' in token ? token.source.trimEnd().length : 0;
  return length === 0 ? node.range[1] : node.range[1] - ((token as { source: string }).source.length - length);
}

function endOfPair(pair: PairNode): number {
  const colon = colonEnd(pair);
  const { value } = pair;
  return value === null || value.range[0] === value.range[1] ? colon : Math.max(colon, endOf(value));
}

function colonEnd(pair: PairNode): number {
  const sign = pair.srcToken?.sep?.find(({ type }) => type === 'map-value-ind');
  return sign === undefined ? pair.key.range[1] : sign.offset + 1;
}

function dashOf(node: SeqNode, index: number): number {
  const token = node.srcToken;
  const item = token !== undefined && 'items' in token ? token.items[index] : undefined;
  return item?.start.find(({ type }) => type === 'seq-item-ind')?.offset ?? node.range[0];
}

function dashesBeginLines({ text }: Source, node: SeqNode): boolean {
  return node.items.every((_, index) => {
    const dash = dashOf(node, index);
    return text.slice(lineStart(text, dash), dash).trim() === '';
  });
}
