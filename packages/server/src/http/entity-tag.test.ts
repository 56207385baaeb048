import { expect, test } from 'bun:test';
import { entityTag, taggedBody, taggedJson } from './entity-tag.ts';

function answer(text: string, ifNoneMatch?: string): Response {
  return taggedJson(new TextEncoder().encode(text), ifNoneMatch);
}

function tagOf(text: string): string {
  return answer(text).headers.get('etag') ?? '';
}

test('only what an answer says makes its tag, not when it was made', () => {
  const tag = tagOf('{"generated_at_ms":1,"granularity":"day"}');
  expect(tag).toMatch(/^W\/"[0-9a-z]+-[0-9a-z]+"$/);
  expect(tagOf('{"generated_at_ms":1773100800000,"granularity":"day"}')).toBe(tag);
  expect(tagOf('{"generated_at_ms":1,"granularity":"hour"}')).not.toBe(tag);
  expect(tagOf('{"generated_at":1,"granularity":"day"}')).not.toBe(tagOf('{"generated_at":2,"granularity":"day"}'));
});

test('who has the answer already gets no body', async () => {
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

test('a body in pieces is one answer for every caller, and its pieces are given up', async () => {
  const pieces = ['{"generated_at_ms":1,', '"granularity":', '"day"}'].map((text) => new TextEncoder().encode(text));
  const tag = entityTag(pieces);
  const later = ['{"generated_at_ms":2,', '"granularity":', '"day"}'].map((text) => new TextEncoder().encode(text));
  expect(entityTag(later)).toBe(tag);
  const tagged = taggedBody({ pieces, tag });
  expect(pieces.map(({ length }) => length)).toEqual([0, 0, 0]);
  for (const response of [taggedJson(tagged, undefined), taggedJson(tagged, '"other"')]) {
    expect(response.headers.get('etag')).toBe(tag);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).toBe('{"generated_at_ms":1,"granularity":"day"}');
  }
  expect(taggedJson(tagged, tag).status).toBe(304);
});
