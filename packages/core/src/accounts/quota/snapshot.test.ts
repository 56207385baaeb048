import { describe, expect, test } from 'bun:test';
import { AppError } from '../../contract/errors.ts';
import {
  quotaSnapshotsQuerySchema,
  quotaSnapshotsRequestSchema,
  snapshotWindowSchema,
} from '../../contract/quotas/snapshots.ts';
import { observationText } from './observation.ts';
import { queriedAccounts, snapshotEntries } from './snapshot.ts';

const NOW = 1_700_000_000_000;
const ACCOUNT = { auth_file_snapshot: 'a.json', auth_index: 'ix-1' };
const WINDOW = { provider_window_id: 'weekly', source: 'api_query' };

type Body = Readonly<Record<string, unknown>>;

function entries(body: unknown) {
  return snapshotEntries(quotaSnapshotsRequestSchema.parse(body), NOW);
}

function only(entry: Body) {
  const [found] = entries({ entries: [{ provider: 'codex', account: ACCOUNT, windows: [WINDOW], ...entry }] });
  if (found === undefined) throw new Error('an entry expected');
  return found.observation;
}

function windowOf(window: Body, entry: Body = {}) {
  const [found] = only({ ...entry, windows: [{ ...WINDOW, ...window }] }).windows;
  if (found === undefined) throw new Error('a window expected');
  expect(snapshotWindowSchema.parse(found)).toEqual(found);
  return found;
}

describe('observations', () => {
  test('take missing members from the first window', () => {
    expect(only({ windows: [{ ...WINDOW, observed_at_ms: 5, source_observation_id: ' q1 ' }] })).toMatchObject({
      source: 'api_query',
      observationId: 'q1',
      observedAtMs: 5,
      inventoryMode: 'partial',
      inventoryScope: 'codex:rate-limits',
    });
    expect(only({ provider: 'Kimi' })).toMatchObject({ provider: 'kimi', inventoryScope: 'kimi:quota-windows' });
  });

  test('without a time get the current time', () => {
    const observation = {
      source: 'api_query',
      inventory_scope_key: 's',
      inventory_mode: 'complete',
      observed_at_ms: 0,
    };
    expect(only({ observation, windows: [] })).toMatchObject({ observedAtMs: NOW, windows: [] });
  });

  test('the same content is the same text, whatever the order of its windows', () => {
    const other = { provider_window_id: 'five-hour', source: 'api_query', used_percent: 3 };
    const one = observationText(only({ windows: [WINDOW, other] }));
    expect(observationText(only({ windows: [other, WINDOW] }))).toBe(one);
    expect(observationText(only({ windows: [WINDOW, { ...other, used_percent: 4 }] }))).not.toBe(one);
  });
});

describe('windows', () => {
  test('of Codex have one id and scope whatever the source calls them', () => {
    expect(windowOf({ provider_window_id: 'secondary', window_kind: 'monthly' })).toMatchObject({
      provider_window_id: 'monthly',
      model_scope_kind: 'family',
      model_scope_key: 'codex_main',
    });
    expect(windowOf({ provider_window_id: 'codex-spark-weekly-0' })).toMatchObject({
      provider_window_id: 'spark-weekly-0',
      model_scope_kind: 'models',
      model_ids: ['gpt-5.3-codex-spark'],
    });
  });

  test('names are trimmed, each once, sorted', () => {
    const names = { model_scope_kind: 'models', model_ids: [' b', 'B', 'a', ''], provider_window_aliases: ['x ', 'X'] };
    expect(windowOf(names, { provider: 'claude' })).toMatchObject({
      model_ids: ['a', 'b'],
      provider_window_aliases: ['x'],
    });
  });

  test('start, end and length: any two give the third', () => {
    const fixed = { window_mode: 'fixed', boundary_accuracy: 'exact' };
    const whole = { cycle_start_ms: 1_000_000, cycle_end_ms: 2_000_000, duration_seconds: 1_000 };
    expect(windowOf({ ...fixed, cycle_start_ms: 1_000_000, cycle_end_ms: 2_000_000 })).toMatchObject(whole);
    expect(windowOf({ ...fixed, cycle_end_ms: 2_000_000, duration_seconds: 1_000 })).toMatchObject(whole);
    expect(windowOf({ cycle_start_ms: 1_000_000, duration_seconds: 1_000 })).toMatchObject(whole);
    expect(windowOf({ cycle_start_ms: 1_000_000, cycle_end_ms: 2_000_500 })).not.toHaveProperty('duration_seconds');
  });

  test('0 is a value, null is none', () => {
    const window = windowOf({ used_percent: 0, used_value: 0, remaining_percent: null, reset_credits_available: 0 });
    expect(window).toMatchObject({ used_percent: 0, used_value: 0, reset_credits_available: 0 });
    expect(window).not.toHaveProperty('remaining_percent');
  });

  test('a reset credit that is there twice counts once', () => {
    const credit = { id: 'c1', expires_at_ms: 5 };
    expect(windowOf({ reset_credits: [credit, credit] }).reset_credits).toEqual([credit]);
  });
});

const REMOVED = { provider_window_id: 'five-hour' };
const DELTA = { source: 'api_query', inventory_scope_key: 's', inventory_mode: 'delta' };

test('removed windows of a delta get the same names as reported ones', () => {
  const [reported] = only({ windows: [{ ...WINDOW, ...REMOVED }] }).windows;
  const delta = only({ observation: DELTA, windows: [], removed_windows: [REMOVED] });
  expect(delta.removed).toHaveLength(1);
  expect(delta.removed[0]).toContain(reported?.provider_window_id ?? '?');
});

const REFUSED: readonly (readonly [name: string, entry: Body, message: string])[] = [
  ['another provider', { provider: 'gemini' }, 'entries.0.provider: unsupported provider'],
  ['no identity', { account: {} }, 'entries.0.account: no member identifies an account'],
  ['no windows', { windows: [] }, 'entries.0.windows: missing'],
  ['no source', { windows: [{ provider_window_id: 'weekly' }] }, 'entries.0.windows.0.source: missing'],
  ['no id', { windows: [{ ...WINDOW, provider_window_id: ' ' }] }, 'entries.0.windows.0.provider_window_id: missing'],
  [
    'a time that is to come',
    { windows: [{ ...WINDOW, observed_at_ms: NOW + 300_001 }] },
    'entries.0.windows.0.observed_at_ms: must not be in the future',
  ],
  [
    'no inventory',
    { observation: { source: 'api_query', inventory_mode: 'partial' } },
    'entries.0.observation.inventory_scope_key: missing',
  ],
  [
    'no mode',
    { observation: { source: 'api_query', inventory_scope_key: 's' } },
    'entries.0.observation.inventory_mode: missing',
  ],
  [
    'a window of another source',
    { observation: { ...DELTA, source: 'inspection' } },
    'entries.0.windows.0.source: differs from the observation',
  ],
  [
    'a window of another time',
    { observation: { ...DELTA, observed_at_ms: 5 }, windows: [{ ...WINDOW, observed_at_ms: 6 }] },
    'entries.0.windows.0.observed_at_ms: differs from the observation',
  ],
  [
    'removals without delta',
    { removed_windows: [REMOVED] },
    'entries.0.removed_windows: only with inventory_mode delta',
  ],
  [
    'a window both reported and removed',
    { observation: DELTA, removed_windows: [{ provider_window_id: 'weekly' }] },
    'entries.0.removed_windows.0: the window is also reported',
  ],
  [
    'a removal that may mean two windows',
    { observation: DELTA, removed_windows: [{ provider_window_id: 'secondary' }] },
    'entries.0.removed_windows.0.window_kind: missing',
  ],
  [
    'a window twice, under two names',
    { windows: [WINDOW, { ...WINDOW, provider_window_id: 'secondary' }] },
    'entries.0.windows.1: the window is listed twice',
  ],
  [
    'an end before the start',
    { windows: [{ ...WINDOW, cycle_start_ms: 2_000, cycle_end_ms: 1_000 }] },
    'entries.0.windows.0.cycle_end_ms: must be after cycle_start_ms',
  ],
  [
    'a length that does not fit',
    { windows: [{ ...WINDOW, cycle_start_ms: 1_000, cycle_end_ms: 2_000, duration_seconds: 2 }] },
    'entries.0.windows.0.duration_seconds: contradicts cycle_start_ms and cycle_end_ms',
  ],
  [
    'a rolling window without length',
    { windows: [{ ...WINDOW, window_mode: 'rolling' }] },
    'entries.0.windows.0.duration_seconds: missing; a rolling window needs a length',
  ],
  [
    'a claimed boundary that is not there',
    { windows: [{ ...WINDOW, window_mode: 'fixed', boundary_accuracy: 'exact', cycle_end_ms: 5_000 }] },
    'entries.0.windows.0.cycle_end_ms: missing; a boundary of this accuracy needs an end and a start or length',
  ],
  [
    'models without names',
    { windows: [{ ...WINDOW, model_scope_kind: 'models' }] },
    'entries.0.windows.0.model_ids: missing',
  ],
  [
    'credits that disagree',
    { windows: [{ ...WINDOW, reset_credits: [{ id: 'c', expires_at_ms: 1 }, { id: 'c' }] }] },
    'entries.0.windows.0.reset_credits.1: the credit is listed with another end',
  ],
  [
    'half a relationship',
    { windows: [{ ...WINDOW, container_provider_window_id: 'monthly' }] },
    'entries.0.windows.0.relationship_kind: missing; container_provider_window_id needs it',
  ],
  [
    'a window within itself',
    {
      windows: [{ ...WINDOW, relationship_kind: 'concurrent_subwindow', container_provider_window_id: 'secondary' }],
    },
    'entries.0.windows.0.container_provider_window_id: a window must not contain itself',
  ],
  [
    'too long an id',
    { windows: [{ ...WINDOW, source_observation_id: 'é'.repeat(129) }] },
    'entries.0.windows.0.source_observation_id: at most 256 bytes',
  ],
];

describe('refused', () => {
  for (const [name, entry, message] of REFUSED) {
    test(name, () => {
      expect(() => only(entry)).toThrow(new AppError('quota_snapshot_invalid', { status: 400, message }));
    });
  }

  test('unknown members anywhere', () => {
    const bodies: readonly Body[] = [
      { entries: [{ provider: 'codex', account: ACCOUNT, windows: [{ ...WINDOW, access_token: 't' }] }] },
      { entries: [{ provider: 'codex', account: { ...ACCOUNT, raw: {} }, windows: [WINDOW] }] },
      { entries: [{ provider: 'codex', account: ACCOUNT, windows: [WINDOW], extra: 1 }] },
    ];
    for (const body of bodies) {
      const result = quotaSnapshotsRequestSchema.safeParse(body);
      expect(result.error?.issues[0]?.code).toBe('unrecognized_keys');
    }
  });

  test('more windows than one request may carry', () => {
    const windows = Array.from({ length: 201 }, (_, index) => ({ ...WINDOW, provider_window_id: `w-${index}` }));
    const entry = { provider: 'claude', account: ACCOUNT, windows };
    expect(entries({ entries: [entry] })).toHaveLength(1);
    expect(() => entries({ entries: [entry, entry] })).toThrow('entries: at most 400 windows in total');
  });
});

test('accounts of a query are checked like those of a write', () => {
  const ask = (account: Body) =>
    queriedAccounts(quotaSnapshotsQuerySchema.parse({ accounts: [{ row_key: 'r', provider: 'X_AI', account }] }));
  expect(ask(ACCOUNT)).toMatchObject([{ rowKey: 'r', provider: 'xai' }]);
  expect(() => ask({})).toThrow('accounts.0.account: no member identifies an account');
});
