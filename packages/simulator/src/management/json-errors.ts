import { isObject, type JsonObject } from '../json.ts';

/** An object, or the text with which the gateway refuses it. */
export type ReadObject = { readonly object: JsonObject } | { readonly problem: string };

const LITERALS: Readonly<Record<string, string>> = { n: 'null', t: 'true', f: 'false' };

/** Reads a JSON object; problems are named as the gateway's JSON reader names them. */
export function readObject(bytes: Uint8Array): ReadObject {
  // Byte by byte, as the gateway counts them; without this a byte order mark would be dropped.
  const text = Buffer.from(bytes).toString('latin1');
  const syntax = syntaxProblem(text);
  if (syntax !== null) return { problem: syntax };
  const value: unknown = JSON.parse(Buffer.from(bytes).toString());
  if (isObject(value)) return { object: value };
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return { problem: `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}` };
}

/** What is wrong with a text as JSON; null when nothing is. */
function syntaxProblem(text: string): string | null {
  let at = 0;

  function fail(where: string): never {
    const found = text[at];
    throw new SyntaxProblem(
      found === undefined ? 'unexpected end of JSON input' : `invalid character ${quoted(found)} ${where}`,
    );
  }

  function skipSpace(): void {
    while (/[ \t\r\n]/.test(text[at] ?? '')) at += 1;
  }

  function readString(): void {
    at += 1;
    while (text[at] !== '"') {
      if (text[at] === undefined || (text[at] ?? '') < ' ') fail('in string literal');
      if (text[at] === '\\') {
        at += 1;
        if (!/["\\/bfnrtu]/.test(text[at] ?? '')) fail('in string escape code');
      }
      at += 1;
    }
    at += 1;
  }

  function readValue(): void {
    skipSpace();
    const first = text[at] ?? '';
    const literal = LITERALS[first];
    if (first === '{') readMembers();
    else if (first === '[') readElements();
    else if (first === '"') readString();
    else if (literal !== undefined) readLiteral(literal);
    else {
      const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/.exec(text.slice(at))?.[0];
      if (number === undefined) fail('looking for beginning of value');
      at += number.length;
    }
  }

  function readLiteral(literal: string): void {
    at += 1;
    for (const expected of literal.slice(1)) {
      if (text[at] !== expected) fail(`in literal ${literal} (expecting ${quoted(expected)})`);
      at += 1;
    }
  }

  function readMembers(): void {
    at += 1;
    skipSpace();
    if (text[at] === '}') at += 1;
    else
      do {
        skipSpace();
        if (text[at] !== '"') fail('looking for beginning of object key string');
        readString();
        skipSpace();
        if (text[at] !== ':') fail('after object key');
        at += 1;
        readValue();
      } while (hasNext('}', 'after object key:value pair'));
  }

  function readElements(): void {
    at += 1;
    skipSpace();
    if (text[at] === ']') at += 1;
    else
      do {
        readValue();
      } while (hasNext(']', 'after array element'));
  }

  function hasNext(end: string, where: string): boolean {
    skipSpace();
    if (text[at] !== ',' && text[at] !== end) fail(where);
    at += 1;
    return text[at - 1] === ',';
  }

  try {
    readValue();
    skipSpace();
    if (at < text.length) fail('after top-level value');
    return null;
  } catch (error) {
    if (error instanceof SyntaxProblem) return error.message;
    throw error;
  }
}

class SyntaxProblem extends Error {}

function quoted(character: string): string {
  return character === "'" ? String.raw`'\''` : `'${character}'`;
}
