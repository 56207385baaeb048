import { describe, expect, test } from 'bun:test';
import { changeNumber, changeText, pointChange, relativeChange, signedTenths } from './changes.ts';

describe('changes', () => {
  test.each([
    [120, 100, '+20.0%'],
    [80, 100, '−20.0%'],
    [100, 100, '±0.0%'],
    [0, 100, '−100.0%'],
    [1_099, 100, '+999.0%'],
    [1_100, 100, '>+999%'],
    [404_000, 100, '>+999%'],
    [5, 0, '–'],
    [0, 0, '–'],
    [null, 5, '–'],
  ])('%p against %p is %s', (now, before, text) => {
    expect(changeNumber(relativeChange(now, before))).toBe(text);
  });

  test('something after nothing is new, nothing after nothing is no change', () => {
    expect(relativeChange(5, 0).kind).toBe('new');
    expect(relativeChange(0, 0).kind).toBe('none');
    const t = (key: string) => key;
    expect([relativeChange(5, 0), relativeChange(0, 0), relativeChange(3, 2)].map((one) => changeText(one, t))).toEqual(
      ['change.new', '–', '+50.0%'],
    );
  });

  test('shares differ by points', () => {
    expect(changeNumber(pointChange(0.019, 0.013))).toBe('+0.6 pt');
    expect(pointChange(null, 0.1).kind).toBe('none');
    expect([signedTenths(0.981 - 0.976), signedTenths(0)]).toEqual(['+0.5', '±0.0']);
  });
});
