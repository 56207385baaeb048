import type { JsonObject, JsonValue } from '../json.ts';

/** Sets one key of a YAML file, keeping comments and the order of everything else; undefined removes it. */
export function setYamlKey(text: string, path: readonly string[], value: JsonValue | undefined): string {
  const lines = text.split('\n');
  const [key = '', ...rest] = path;
  const block = findBlock(lines, key, 0, lines.length, 0);
  if (rest.length === 0) return replace(lines, block, render(key, value, 0, lines[block?.from ?? -1]));
  const child = rest.join('.');
  if (block === null)
    return value === undefined ? text : replace(lines, null, [`${key}:`, ...render(child, value, 2, undefined)]);
  const indent = childIndent(lines, block);
  const inner = findBlock(lines, child, block.from + 1, block.to, indent);
  const rendered = render(child, value, indent, lines[inner?.from ?? -1]);
  if (inner !== null) return replace(lines, inner, rendered);
  return replace(lines, { from: block.to, to: block.to }, rendered);
}

interface Block {
  readonly from: number;
  readonly to: number;
}

/** The line of a key and the deeper lines below it. */
function findBlock(lines: readonly string[], key: string, from: number, to: number, indent: number): Block | null {
  const start = `${' '.repeat(indent)}${key}:`;
  const at = lines.findIndex((line, index) => index >= from && index < to && line.startsWith(start));
  if (at < 0) return null;
  let end = at + 1;
  for (let index = at + 1; index < to; index += 1) {
    const line = lines[index] ?? '';
    const isOwn = indentOf(line) > indent || (indentOf(line) === indent && line.trimStart().startsWith('- '));
    if (isOwn && line.trim() !== '') end = index + 1;
    else if (line.trim() !== '') break;
  }
  return { from: at, to: end };
}

function childIndent(lines: readonly string[], block: Block): number {
  const first = lines
    .slice(block.from + 1, block.to)
    .find((line) => line.trim() !== '' && !line.trim().startsWith('#'));
  return first === undefined ? 2 : indentOf(first);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function render(key: string, value: JsonValue | undefined, indent: number, oldLine: string | undefined): string[] {
  if (value === undefined) return [];
  const margin = ' '.repeat(indent);
  if (typeof value !== 'object' || value === null || isEmpty(value)) {
    const comment = /\s#.*$/.exec(oldLine ?? '')?.[0] ?? '';
    return [`${margin}${key}: ${JSON.stringify(value)}${comment}`];
  }
  const body = Bun.YAML.stringify(value, null, 2).trimEnd().split('\n');
  return [`${margin}${key}:`, ...body.map((line) => `${margin}  ${line}`)];
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

function replace(lines: readonly string[], block: Block | null, rendered: readonly string[]): string {
  if (block !== null) return [...lines.slice(0, block.from), ...rendered, ...lines.slice(block.to)].join('\n');
  if (rendered.length === 0) return lines.join('\n');
  const body = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  return [...body, ...rendered, ''].join('\n');
}

/** Comments inside of blocks move to the first column when a whole file is written. */
export function withOuterComments(text: string): string {
  return text.replace(/^[ \t]+#/gm, '#');
}

/** Why a text is not YAML. */
export function syntaxMessage(text: string): string {
  const lines = text.trimEnd().split('\n');
  return `yaml: line ${lines.length}: did not find expected node content`;
}

/** Types that the gateway must find to load a file. */
const TYPES: Readonly<Record<string, 'int' | 'bool' | '[]string'>> = {
  port: 'int',
  debug: 'bool',
  'api-keys': '[]string',
};

/** Which value has another type than the gateway loads; null without one. */
export function typeMessage(text: string, document: JsonObject): string | null {
  const lines = text.split('\n');
  const problems = Object.entries(TYPES).flatMap(([name, type]) => {
    const value = document[name] ?? null;
    if (value === null || isOfType(value, type)) return [];
    const line = lines.findIndex((candidate) => candidate.startsWith(`${name}:`)) + 1;
    const shown = String(value);
    const short = shown.length > 10 ? `${shown.slice(0, 7)}...` : shown;
    return [`  line ${line}: cannot unmarshal ${tagOf(value)} \`${short}\` into ${type}`];
  });
  return problems.length === 0 ? null : `yaml: unmarshal errors:\n${problems.join('\n')}`;
}

function isOfType(value: JsonValue, type: 'int' | 'bool' | '[]string'): boolean {
  if (type === '[]string') return Array.isArray(value);
  return type === 'int' ? Number.isInteger(value) : typeof value === 'boolean';
}

function tagOf(value: JsonValue): string {
  if (Array.isArray(value)) return '!!seq';
  if (typeof value === 'object') return '!!map';
  if (typeof value === 'number') return Number.isInteger(value) ? '!!int' : '!!float';
  return typeof value === 'boolean' ? '!!bool' : '!!str';
}
