import { describe, expect, test } from 'bun:test';
import { type ConnectionPair, resolveAuthority } from './authority.ts';

const none = ['', ''] as const;
const full = ['http://a', 'k'] as const;
type Sides = readonly [string, string];
const pair = ([baseUrl, managementKey]: Sides): ConnectionPair => ({ baseUrl, managementKey });

const cases: { name: string; manager: Sides; legacy: Sides; kind: string; connection?: Sides }[] = [
  { name: 'manager complete, legacy missing', manager: full, legacy: none, kind: 'manager', connection: full },
  {
    name: 'manager complete, legacy stale',
    manager: full,
    legacy: ['http://b', 'x'],
    kind: 'manager',
    connection: full,
  },
  {
    name: 'manager complete, legacy partial',
    manager: full,
    legacy: ['http://b', ''],
    kind: 'manager',
    connection: full,
  },
  { name: 'manager missing, legacy complete', manager: none, legacy: full, kind: 'legacy', connection: full },
  {
    name: 'manager URL equal, legacy complete',
    manager: ['http://a', ''],
    legacy: full,
    kind: 'legacy',
    connection: full,
  },
  { name: 'manager key equal, legacy complete', manager: ['', 'k'], legacy: full, kind: 'legacy', connection: full },
  { name: 'manager URL differs, legacy complete', manager: ['http://b', ''], legacy: full, kind: 'conflict' },
  { name: 'manager key differs, legacy complete', manager: ['', 'x'], legacy: full, kind: 'conflict' },
  { name: 'both partial, overlap differs', manager: ['http://a', ''], legacy: ['http://b', ''], kind: 'conflict' },
  { name: 'both partial, overlap equal', manager: ['http://a', ''], legacy: ['http://a', ''], kind: 'none' },
  { name: 'both partial, no overlap', manager: ['http://a', ''], legacy: ['', 'k'], kind: 'none' },
  { name: 'manager missing, legacy partial', manager: none, legacy: ['', 'k'], kind: 'none' },
  { name: 'manager partial, legacy missing', manager: ['', 'k'], legacy: none, kind: 'none' },
  { name: 'both missing', manager: none, legacy: none, kind: 'none' },
];

describe('authority', () => {
  for (const entry of cases) {
    test(entry.name, () => {
      const authority = resolveAuthority(pair(entry.manager), pair(entry.legacy));
      expect(authority.kind).toBe(entry.kind as typeof authority.kind);
      if (entry.connection) expect(authority).toHaveProperty('connection', pair(entry.connection));
    });
  }
});
