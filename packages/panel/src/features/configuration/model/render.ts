import { type ConfigValue, isList, isObject } from './values.ts';

export type Quote = 'plain' | 'single' | 'double';

/** Words that a YAML 1.1 reader, as the gateway's is in part, takes for something else than text. */
const WORDS = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf)$/i;
const PLAIN = /^[A-Za-z_/](?:[\w./+=@:,()-]*[\w./+=@,()-])?$/;
// JSON leaves these as they are, YAML does not allow them.
const NOT_PRINTABLE = /[\u007f-\u0084\u0086-\u009f\ud800-\udfff\ufeff\ufffe\uffff]/g;

export function renderScalar(value: null | boolean | number | string, quote: Quote = 'plain'): string {
  if (typeof value !== 'string') return String(value);
  if (quote === 'single' && /^[\x20-\x7e\u00a0-\ud7ff]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  if (quote === 'plain' && PLAIN.test(value) && !WORDS.test(value)) return value;
  return quoted(value);
}

function quoted(value: string): string {
  const escaped = (part: string) => `\\u${part.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return [...JSON.stringify(value)]
    .map((part) => (part.length === 1 ? part.replace(NOT_PRINTABLE, escaped) : part))
    .join('');
}

function renderKey(key: string): string {
  return renderScalar(key);
}

/** On one line. */
export function renderFlow(value: ConfigValue): string {
  if (isList(value)) return value.length === 0 ? '[]' : `[${value.map(renderFlow).join(', ')}]`;
  if (isObject(value)) {
    const entries = Object.entries(value).map(([key, item]) => `${renderFlowKey(key)}: ${renderFlow(item)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  return typeof value === 'string' && /[,[\]{}]/.test(value) ? quoted(value) : renderScalar(value);
}

function renderFlowKey(key: string): string {
  return /[,[\]{}]/.test(key) ? quoted(key) : renderKey(key);
}

export function isBlock(value: ConfigValue): value is readonly ConfigValue[] | { readonly [key: string]: ConfigValue } {
  return (isList(value) && value.length > 0) || (isObject(value) && Object.keys(value).length > 0);
}

/** Lines of a list or mapping that is not empty. */
export function renderBlock(value: ConfigValue, indent: number): string[] {
  const pad = ' '.repeat(indent);
  if (isList(value)) {
    return value.flatMap((item) => {
      if (!isBlock(item)) return [`${pad}- ${renderFlow(item)}`];
      const [first = '', ...rest] = renderBlock(item, indent + 2);
      return [`${pad}- ${first.trimStart()}`, ...rest];
    });
  }
  if (!isObject(value)) return [`${pad}${renderFlow(value)}`];
  return Object.entries(value).flatMap(([key, item]) => renderPair(key, item, indent));
}

/** Lines of one member of a mapping. */
export function renderPair(key: string, value: ConfigValue, indent: number): string[] {
  const pad = ' '.repeat(indent);
  if (!isBlock(value)) return [`${pad}${renderKey(key)}: ${renderFlow(value)}`];
  return [`${pad}${renderKey(key)}:`, ...renderBlock(value, indent + 2)];
}
