import { describe, expect, test } from 'bun:test';
import { requestItems } from './palette-sources.ts';

const targets = (text: string) => requestItems(text, 'open', 'find').map((item) => item.open);

describe('what is typed into the palette', () => {
  test('is the hash of an event', () => {
    const hash = 'Ab'.repeat(32);
    expect(targets(hash)).toEqual([{ to: '/monitoring/event/$eventHash', params: { eventHash: hash.toLowerCase() } }]);
  });

  test('is a request or trace id, searched in the whole history', () => {
    expect(targets('req-1234')).toEqual([{ to: '/monitoring', search: { range: ['all'], search: ['req-1234'] } }]);
  });

  test.each(['model', 'req-1', 'two words 12', 'ops99@example.com', `sk-${'a1'.repeat(20)}`])('%p is no id', (text) => {
    expect(targets(text)).toEqual([]);
  });
});
