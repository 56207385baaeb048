import { describe, expect, test } from 'bun:test';
import { JsonShape } from './json-shape.ts';
import { hashText } from './text-hash.ts';
import { createWordMirror } from './word-mirror.ts';

function mirrorOf() {
  const mirror = createWordMirror();
  return { ...mirror, look: (text: string) => mirror.find(hashText(text), text, 0, text.length) };
}

function shapeOf(text: string): JsonShape {
  const shape = new JsonShape();
  expect(shape.scan(text)).toBe(true);
  return shape;
}

describe('a mirror of words', () => {
  test('wants a text that it sees twice, once, and uses it after it was committed', () => {
    const { look, takeWanted, learn } = mirrorOf();
    expect([look('a model'), look('once'), look('a model'), look('a model')]).toEqual([0, 0, 0, 0]);
    expect(takeWanted()).toEqual(['a model']);
    expect(takeWanted()).toEqual([]);
    learn([['a model', 7]]);
    expect([look('a model'), look('once')]).toEqual([7, 0]);
    expect(takeWanted()).toEqual(['once']);
  });

  test('wants a text again that was not committed', () => {
    const { look, takeWanted, learn } = mirrorOf();
    look('a model');
    look('a model');
    expect(takeWanted()).toEqual(['a model']);
    learn([]);
    expect(look('a model')).toBe(0);
    expect(takeWanted()).toEqual(['a model']);
  });

  test('waits for the answers to takes that are still open', () => {
    const { look, takeWanted, learn } = mirrorOf();
    look('first');
    look('first');
    expect(takeWanted()).toEqual(['first']);
    look('second');
    look('second');
    expect(takeWanted()).toEqual(['second']);
    learn([['first', 1]], 1);
    expect([look('first'), look('second')]).toEqual([1, 0]);
    expect(takeWanted()).toEqual([]);
    learn([], 1);
    expect(look('second')).toBe(0);
    expect(takeWanted()).toEqual(['second']);
    learn([['second', 2]]);
    expect(look('second')).toBe(2);
  });

  test('learns nothing that it did not want', () => {
    const { look, learn } = mirrorOf();
    learn([['of another thread', 3]]);
    expect(look('of another thread')).toBe(0);
  });

  test('learns templates by their shape', () => {
    const { findTemplate, takeWanted, learn } = mirrorOf();
    const first = shapeOf('{"a":12,"b":"x"}');
    expect([findTemplate(first), findTemplate(first)]).toEqual([0, 0]);
    const [template = ''] = takeWanted();
    expect(template).toBe(first.template());
    learn([[template, 4]]);
    expect(findTemplate(shapeOf('{"a":5,"b":"other"}'))).toBe(4);
    expect(findTemplate(shapeOf('{"a":5,"c":"other"}'))).toBe(0);
  });
});
