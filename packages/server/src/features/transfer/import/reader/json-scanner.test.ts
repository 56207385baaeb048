import { describe, expect, test } from 'bun:test';
import { parseJson } from '@manager/core/json/json';
import { propertyRuns } from '@manager/core/testing/property-runs';
import fc from 'fast-check';
import { JsonScanner } from './json-scanner.ts';

const DEAF = { wantsNames: () => false, name() {}, begin: () => false, end() {} };

function scan(text: string, partBytes: number): { outcome: string; length: number } {
  const scanner = new JsonScanner(DEAF);
  const bytes = new TextEncoder().encode(text);
  let outcome = 'open';
  for (let at = 0; at < bytes.length && outcome === 'open'; at += partBytes) {
    outcome = scanner.feed(bytes.slice(at, at + partBytes), 0);
  }
  return { outcome, length: scanner.length };
}

describe('the scanner', () => {
  test('finds the end of every object that a parser accepts', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
        fc.nat(9),
        fc.nat(3),
        (value, part, indent) => {
          const text = JSON.stringify(value, null, indent);
          const length = new TextEncoder().encode(text).length;
          expect(scan(`${text} 7]`, part + 1)).toEqual({ outcome: 'complete', length });
        },
      ),
    );
  });

  test('accepts an object with one byte changed exactly when a parser does', () => {
    const bytes = fc.constantFrom(...'{}[]:,"\\ \n0123456789-+.eEtfnulrsa\u0001x');
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.nat(),
        bytes,
        fc.boolean(),
        (value, place, byte, insert) => {
          const text = JSON.stringify(value);
          const at = place % text.length;
          const changed = text.slice(0, at) + byte + text.slice(insert ? at : at + 1);
          if (!changed.startsWith('{')) return;
          const { outcome, length } = scan(changed, 1000);
          const taken = new TextDecoder().decode(new TextEncoder().encode(changed).slice(0, length));
          if (outcome === 'complete') expect(parseJson(taken)).toBeObject();
          else expect(parseJson(changed)).toBeUndefined();
        },
      ),
      { numRuns: propertyRuns(1000) },
    );
  });

  test.each([
    '{"a":01}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":1e}',
    '{"a":-}',
    '{"a":nul}',
    '{"a":"\\x"}',
    '{"a":"\\u12g4"}',
    '{"a":1,}',
    '{a:1}',
    '{"a":[1}',
  ])('refuses %s', (text) => expect(scan(text, 1).outcome).toBe('invalid'));

  test('refuses deeper nesting than any parser supports', () => {
    expect(scan(`{"a":${'['.repeat(200_000)}`, 1000).outcome).toBe('invalid');
  });
});
