import { expect, test } from 'bun:test';
import { entityTag, taggedJson } from './entity-tag.ts';

function answer(text: string, ifNoneMatch?: string): Response {
  return taggedJson(new TextEncoder().encode(text), ifNoneMatch);
}

function tagOf(text: string): string {
  return answer(text).headers.get('etag') ?? '';
}

test('the tag depends on the content of an answer, not on its time', () => {
  const tag = tagOf('{"generated_at_ms":1,"granularity":"day"}');
  expect(tag).toMatch(/^W\/"[0-9a-z]+-[0-9a-z]+"$/);
  expect(tagOf('{"generated_at_ms":1773100800000,"granularity":"day"}')).toBe(tag);
  expect(tagOf('{"generated_at_ms":1,"granularity":"hour"}')).not.toBe(tag);
  expect(tagOf('{"generated_at":1,"granularity":"day"}')).not.toBe(tagOf('{"generated_at":2,"granularity":"day"}'));
});

test('a client that has the answer gets no body', async () => {
  const text = '{"generated_at_ms":1,"granularity":"day"}';
  const tag = tagOf(text);
  for (const known of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
    const response = answer(text, known);
    expect(response.status).toBe(304);
    expect(response.headers.get('etag')).toBe(tag);
    expect(await response.text()).toBe('');
  }
  for (const unknown of ['"other"', '', tag.slice(0, -2)]) {
    const response = answer(text, unknown);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(text);
  }
});

test('a body in chunks is one answer for every caller', async () => {
  const pieces = ['{"generated_at_ms":1,', '"granularity":', '"day"}'].map((text) => new TextEncoder().encode(text));
  const tag = entityTag(pieces);
  const later = ['{"generated_at_ms":2,', '"granularity":', '"day"}'].map((text) => new TextEncoder().encode(text));
  expect(entityTag(later)).toBe(tag);
  const tagged = { pieces, tag };
  for (const response of [taggedJson(tagged, undefined), taggedJson(tagged, '"other"')]) {
    expect(response.headers.get('etag')).toBe(tag);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).toBe('{"generated_at_ms":1,"granularity":"day"}');
  }
  expect(taggedJson(tagged, tag).status).toBe(304);
});

test('a long body reaches every caller completely', async () => {
  const pieces = Array.from({ length: 7 }, (_, index) => new Uint8Array(100_000 + index).fill(0x61 + index));
  const tagged = { pieces, tag: entityTag(pieces) };
  const whole = Buffer.concat(pieces).toString();
  const texts = await Promise.all([1, 2, 3].map(() => taggedJson(tagged, undefined).text()));
  expect(texts.map((text) => text === whole)).toEqual([true, true, true]);
});
