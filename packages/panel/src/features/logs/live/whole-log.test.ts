import { expect, test } from 'bun:test';
import { linesOf, wholeLog } from './whole-log.ts';

const LINES = [
  '[2026-11-29 06:42:53] [--------] [info ] [main.go:1] started "now" \\ [',
  '[2026-11-29 06:42:54] [--------] [error] [main.go:2] key secret-1 日本 😀',
  '  at secret-2, ]',
  '[2026-11-29 06:42:55] [--------] [info ] [main.go:3] last',
];
const answer = (lines: readonly string[]) => JSON.stringify({ 'line-count': lines.length, lines, 'next-cursor': 'x' });

/** Its bytes in pieces of a length. */
async function* pieces(text: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let from = 0; from < bytes.length; from += length) yield bytes.slice(from, from + length);
}

const read = async (text: string, length: number) =>
  (await Array.fromAsync(linesOf(pieces(text, length), 'logs'))).flat();

test('lines are read while they arrive, wherever the answer is cut', async () => {
  for (const length of [1, 2, 3, 7, 50, 10_000]) expect(await read(answer(LINES), length)).toEqual(LINES);
  expect(await read('{"lines": [ ] }', 4)).toEqual([]);
});

test('an answer that breaks off, or has no list, is no whole log', async () => {
  const text = answer(LINES);
  for (const broken of [text.slice(0, text.indexOf('last')), '{"lines":null}', '<html>', ''])
    await expect(read(broken, 20)).rejects.toMatchObject({ kind: 'shape' });
});

test('the file has every line, entries masked as a whole', async () => {
  const masked: string[] = [];
  const mask = (entry: string) => {
    masked.push(entry);
    return entry.replaceAll(/secret-\d/g, '[redacted]');
  };
  const file = await new Blob([...(await wholeLog(pieces(answer(LINES), 30), 'logs', mask))]).text();
  expect(file).toBe(`${LINES.join('\n').replaceAll(/secret-\d/g, '[redacted]')}\n`);
  expect(masked).toContain(LINES.slice(1, 3).join('\n'));
});
