import { describe, expect, test } from 'bun:test';
import { AppError } from '@manager/core/contract/errors';
import { connectionLimit, createAdmission, type Guest } from './admission.ts';
import type { Peer } from './peer.ts';

interface Options {
  readonly group?: string;
  readonly phase?: Guest['phase'];
  /** null = the manager works for it. */
  readonly waitingSince?: number | null;
  readonly isOperator?: boolean;
  readonly hasServed?: boolean;
}

function hall(limit: number) {
  const closed: string[] = [];
  const admission = createAdmission({ limit, onGivenUp: () => {} });
  return {
    closed,
    admission,
    enter(name: string, options: Options = {}): boolean {
      const { group = 'a', phase = 'body', waitingSince = 0, isOperator = false, hasServed = false } = options;
      const guest: Guest = {
        group,
        phase,
        peer: {
          waitingSince,
          isOperator,
          hasServed,
          reset() {
            closed.push(name);
            admission.left(guest);
          },
        } as Peer,
      };
      return admission.admit(guest);
    },
  };
}

describe('a full listener', () => {
  test('gives up the connection that waits longest, of the same address first', () => {
    const { enter, closed } = hall(4);
    enter('other', { group: 'b', waitingSince: 0 });
    enter('second', { waitingSince: 2 });
    enter('first', { waitingSince: 1 });
    enter('third', { group: 'c', waitingSince: 3 });
    expect(enter('new')).toBe(true);
    expect(closed).toEqual(['first']);
  });

  test('gives up idle connections before unfinished requests, and those before unread answers', () => {
    const { enter, closed } = hall(3);
    enter('answer', { group: 'b', phase: 'answer', waitingSince: 0 });
    enter('body', { group: 'c', phase: 'body', waitingSince: 1 });
    enter('idle', { group: 'd', phase: 'idle', waitingSince: 2, hasServed: true });
    for (const group of ['e', 'f', 'g']) enter(group, { group, waitingSince: null });
    expect(closed).toEqual(['idle', 'body', 'answer']);
  });

  test('gives up what waits before a new connection whose request is on its way, and before what the operator keeps', () => {
    const { enter, closed } = hall(3);
    enter('kept by the operator', { group: 'd', phase: 'idle', waitingSince: 2, hasServed: true, isOperator: true });
    enter('new', { group: 'c', phase: 'idle', waitingSince: 3 });
    enter('body', { group: 'b', waitingSince: 1 });
    for (const group of ['e', 'f']) enter(group, { group, waitingSince: null });
    expect(closed).toEqual(['body', 'kept by the operator']);
  });

  test('keeps what it works for and requests of the operator, and refuses when nothing else is left', () => {
    const { enter, closed } = hall(2);
    enter('working', { group: 'b', waitingSince: null });
    enter('operator', { group: 'c', isOperator: true });
    expect(enter('new')).toBe(false);
    expect(closed).toEqual([]);
  });

  test('gives one address three quarters of the connections', () => {
    const { enter, closed } = hall(8);
    for (let index = 0; index < 6; index++) enter(`${index}`, { waitingSince: index });
    expect(closed).toEqual([]);
    enter('more', { waitingSince: 6 });
    enter('elsewhere', { group: 'b' });
    expect(closed).toEqual(['0']);
  });
});

describe('requests without the admin key', () => {
  test('may keep three quarters of the connections busy, one address half of them', () => {
    const { admission } = hall(16);
    const ends = Array.from({ length: 6 }, () => admission.beginStranger('a'));
    expect(() => admission.beginStranger('a')).toThrow(AppError);
    for (let index = 0; index < 6; index++) ends.push(admission.beginStranger(`${index}`));
    expect(() => admission.beginStranger('z')).toThrow('too many requests are in progress');
    for (const end of ends) end();
    expect(() => admission.beginStranger('a')).not.toThrow();
  });
});

test.each([
  [300, 80],
  [1024, 442],
  [20_000, 512],
  [64, 16],
])('with %i file descriptors there are %i connections', (descriptors, connections) => {
  expect(connectionLimit(descriptors)).toBe(connections);
});
