import { describe, expect, test } from 'bun:test';
import { changeNumber, changeText, pointChange, relativeChange, signedTenths, verdictOfChange } from './changes.ts';

describe('changes', () => {
  test.each([
    [120, 100, '+20.0%'],
    [80, 100, '−20.0%'],
    [100, 100, '±0.0%'],
    [0, 100, '−100.0%'],
    [1_099, 100, '+999.0%'],
    [2_100, 100, '×21'],
    [404_000, 100, '×4,040'],
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

  test('only a measure with a good direction gets a verdict, and not for what reads as unchanged', () => {
    expect(verdictOfChange(relativeChange(2, 1), null)).toBe(null);
    expect(verdictOfChange(relativeChange(2, 1), 'up')).toBe('better');
    expect(verdictOfChange(relativeChange(2, 1), 'down')).toBe('worse');
    expect(verdictOfChange(relativeChange(1.0001, 1), 'down')).toBe(null);
    expect(verdictOfChange(pointChange(0.9, 0.8), 'up')).toBe('better');
    expect(verdictOfChange(pointChange(0.9, 0.8), 'down')).toBe('worse');
    expect(verdictOfChange(pointChange(0.8, 0.8), 'down')).toBeNull();
  });
});
