import { describe, expect, test } from 'bun:test';
import type { Guest } from './admission.ts';
import { createBodyMemory } from './body-memory.ts';
import { createHeadMemory } from './head-memory.ts';

describe('the memory for bodies', () => {
  const limits = { strangers: 100, stranger: 60, operator: 100 };

  test('is shared by all strangers, and one of them gets a part', () => {
    const memory = createBodyMemory(limits);
    const first = memory.open('a');
    first.take(60);
    expect(() => first.take(1)).toThrow('use up the memory');
    expect(() => memory.open('a').take(1)).toThrow('use up the memory');
    memory.open('b').take(40);
    expect(() => memory.open('c').take(1)).toThrow('use up the memory');
    first.release();
    memory.open('a').take(60);
  });

  test('of the operator is his own, also for what was read before his key was known', () => {
    const memory = createBodyMemory(limits);
    const operator = memory.open('a');
    operator.take(50);
    operator.moveToOperator();
    memory.open('a').take(60);
    memory.open('b').take(40);
    operator.take(50);
    expect(() => operator.take(1)).toThrow('use up the memory');
    operator.release();
    const next = memory.open('a');
    next.moveToOperator();
    next.take(100);
  });
});

test('the memory for unfinished heads closes the ones that grew longest ago', () => {
  const closed: string[] = [];
  const guest = (name: string) => ({ peer: { reset: () => closed.push(name) } }) as unknown as Guest;
  const heads = createHeadMemory(100);
  const [first, second, third] = [guest('first'), guest('second'), guest('third')];
  heads.grow(first, 40);
  heads.grow(second, 40);
  heads.grow(first, 50);
  expect(closed).toEqual([]);
  heads.grow(third, 40);
  expect(closed).toEqual(['second']);
  heads.release(first);
  heads.grow(guest('fourth'), 60);
  expect(closed).toEqual(['second']);
});
