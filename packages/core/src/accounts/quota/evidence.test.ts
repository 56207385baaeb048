import { describe, expect, test } from 'bun:test';
import { snapshotWindowSchema } from '../../contract/quotas/snapshots.ts';
import type { JsonObject } from '../../json/json.ts';
import { freeUsageEvidence } from '../../usage/provider-usage.ts';
import { buildResponseMetadata } from '../../usage/response-metadata.ts';
import { observationOfEvent, type QuotaEvent } from './header-evidence.ts';
import { observationOfInspection } from './inspection-evidence.ts';

const T0 = 1_700_000_000_000;

const EVENT: QuotaEvent = {
  event_hash: 'e1',
  timestamp_ms: T0,
  response_metadata_json: '',
  provider: 'codex',
  executor_type: '',
  model: 'gpt-5',
  requested_model: 'gpt-5',
  resolved_model: '',
  source: '',
  auth_file_snapshot: 'codex-a.json',
  auth_index: 'ix-1',
  auth_provider_snapshot: '',
  auth_project_id_snapshot: '',
  auth_label_snapshot: '',
  account_snapshot: 'a@example.test',
};

function observed(headers: JsonObject, change: Partial<QuotaEvent> = {}) {
  const metadata = buildResponseMetadata({ headers: [headers], baseMs: T0 });
  return observationOfEvent({ ...EVENT, response_metadata_json: JSON.stringify(metadata ?? {}), ...change });
}

const BOTH = {
  'x-codex-plan-type': 'plus',
  'x-codex-primary-used-percent': '40',
  'x-codex-primary-reset-after-seconds': '3600',
  'x-codex-primary-window-minutes': '300',
  'x-codex-secondary-used-percent': '105',
  'x-codex-secondary-reset-at': '1700604800',
  'x-codex-secondary-window-minutes': '10080',
};

describe('rate-limit headers', () => {
  test('become windows of the whole account', () => {
    const found = observed(BOTH);
    expect(found).toMatchObject({
      provider: 'codex',
      source: 'response_header',
      observationId: 'e1',
      observedAtMs: T0,
      inventoryScope: 'codex:rate-limits',
      inventoryMode: 'partial',
    });
    for (const window of found?.windows ?? []) expect(snapshotWindowSchema.parse(window)).toEqual(window);
    expect(found?.windows).toMatchObject([
      {
        provider_window_id: 'five-hour',
        window_kind: 'five_hour',
        window_mode: 'fixed',
        model_scope_kind: 'family',
        model_scope_key: 'codex_main',
        boundary_accuracy: 'derived',
        cycle_start_ms: T0 + 3_600_000 - 18_000_000,
        cycle_end_ms: T0 + 3_600_000,
        duration_seconds: 18_000,
        used_percent: 40,
        plan_type: 'plus',
        container_provider_window_id: 'weekly',
        provider_window_aliases: ['primary'],
      },
      {
        provider_window_id: 'weekly',
        provider_window_aliases: ['secondary'],
        boundary_accuracy: 'exact',
        used_percent: 100,
        cycle_end_ms: 1_700_604_800_000,
      },
    ]);
  });

  test('name the position that a window has in the answer', () => {
    const windows = observed({
      ...BOTH,
      'x-codex-primary-window-minutes': '10080',
      'x-codex-secondary-window-minutes': '300',
    })?.windows;
    expect(windows?.map(({ provider_window_id: id, provider_window_aliases: names }) => [id, names])).toEqual([
      ['weekly', ['primary']],
      ['five-hour', ['secondary']],
    ]);
  });

  test('of a Spark request describe the Spark allowance only', () => {
    const found = observed(BOTH, { requested_model: 'gpt-5.3-codex-spark', model: 'gpt-5.3-codex-spark' });
    expect(found?.windows).toMatchObject([
      { provider_window_id: 'spark-five-hour-0', model_scope_kind: 'models', model_ids: ['gpt-5.3-codex-spark'] },
      { provider_window_id: 'spark-weekly-0' },
    ]);
  });

  test('of a request without a model never describe the account', () => {
    const found = observed(BOTH, { requested_model: '', model: '-' });
    expect(found?.windows).toMatchObject([
      { provider_window_id: 'request-scope-unknown-five-hour-0', model_scope_key: 'request_scope_unknown' },
      { provider_window_id: 'request-scope-unknown-weekly-0' },
    ]);
  });

  test('without a length the slot decides, monthly for a team', () => {
    const headers = { 'x-codex-primary-used-percent': '3', 'x-codex-secondary-used-percent': '4' };
    const ids = (plan: string) =>
      observed({ ...headers, 'x-codex-plan-type': plan })?.windows.map(({ provider_window_id: id }) => id);
    expect(ids('plus')).toEqual(['five-hour', 'weekly']);
    expect(ids('team')).toEqual(['five-hour', 'monthly']);
  });

  test('of an unknown or repeated length get an id by length and slot', () => {
    const windows = observed({ ...BOTH, 'x-codex-secondary-window-minutes': '300' })?.windows;
    expect(windows?.map(({ provider_window_id: id }) => id)).toEqual(['five-hour', 'window-5h-1']);
    const odd = observed({ ...BOTH, 'x-codex-primary-window-minutes': '2880' })?.windows;
    expect(odd?.map(({ provider_window_id: id }) => id)).toEqual(['window-2d-0', 'weekly']);
  });

  test('that are all zero create nothing', () => {
    expect(observed({ 'x-codex-primary-used-percent': '0', 'x-codex-secondary-used-percent': '0' })).toBeNull();
    expect(observed({})).toBeNull();
  });

  test('of other providers and unknown accounts create nothing', () => {
    expect(observed(BOTH, { provider: 'openai' })).toBeNull();
    expect(observed(BOTH, { auth_file_snapshot: '', auth_index: '', account_snapshot: '' })).toBeNull();
  });
});

describe('the free allowance of xAI', () => {
  const xai = { ...EVENT, provider: 'xai', auth_file_snapshot: 'xai-a.json' };
  const body = (message: string) => JSON.stringify({ code: 'subscription:free-usage-exhausted', error: message });
  const evidenceOf = (text: string) => {
    const providerUsage = freeUsageEvidence(xai, { statusCode: 429, body: text }, T0);
    const metadata = buildResponseMetadata({ headers: [], providerUsage, baseMs: T0 });
    return observationOfEvent({ ...xai, response_metadata_json: JSON.stringify(metadata) });
  };

  test('is a rolling window of the model it names', () => {
    const found = evidenceOf(body('Included free usage for model grok-demo. tokens (actual/limit): 2033137/2000000'));
    expect(found).toMatchObject({
      provider: 'xai',
      source: 'response_body',
      inventoryScope: 'xai:included-free',
      windows: [
        {
          provider_window_id: 'included-free-rolling-24h',
          window_mode: 'rolling',
          duration_seconds: 86_400,
          boundary_accuracy: 'estimated',
          cycle_end_ms: T0 + 86_400_000,
          model_scope_kind: 'models',
          model_ids: ['grok-demo'],
          used_value: 2_033_137,
          limit_value: 2_000_000,
          quota_unit: 'tokens',
        },
      ],
    });
    for (const window of found?.windows ?? []) expect(snapshotWindowSchema.parse(window)).toEqual(window);
  });

  test('covers all models when none is named', () => {
    expect(evidenceOf(body('used up'))?.windows).toMatchObject([{ model_scope_kind: 'all', used_percent: 100 }]);
  });
});

describe('inspections', () => {
  const result = {
    id: 7,
    runId: 3,
    fileName: 'codex-a.json',
    provider: 'codex',
    authIndex: 'ix-1',
    statusCode: 200,
    quotaInventoryObserved: true,
    planType: 'plus',
    createdAtMs: T0,
    quotaWindows: [
      {
        id: 'weekly',
        labelKey: 'codex_quota.secondary_window',
        usedPercent: 40,
        resetLabel: '11/21 00:00',
        resetAtMs: T0 + 1_000,
        resetAccuracy: 'exact' as const,
        limitWindowSeconds: 604_800,
        modelScope: { kind: 'family' as const, key: 'codex_main', complete: true },
      },
    ],
  };

  test('of the whole inventory are complete', () => {
    expect(observationOfInspection(result)).toMatchObject({
      source: 'inspection',
      observationId: 'run:3:result:7',
      inventoryMode: 'complete',
      windows: [
        { provider_window_id: 'weekly', used_percent: 40, cycle_end_ms: T0 + 1_000, boundary_accuracy: 'exact' },
      ],
    });
    expect(observationOfInspection({ ...result, quotaWindows: [] })).toMatchObject({ inventoryMode: 'complete' });
  });

  test('that failed or saw a part are partial; without a window there is no observation', () => {
    expect(observationOfInspection({ ...result, statusCode: 500 })?.inventoryMode).toBe('partial');
    expect(observationOfInspection({ ...result, error: 'x' })?.inventoryMode).toBe('partial');
    expect(observationOfInspection({ ...result, quotaInventoryObserved: false })?.inventoryMode).toBe('partial');
    expect(observationOfInspection({ ...result, statusCode: 500, quotaWindows: [] })).toBeNull();
    expect(observationOfInspection({ ...result, provider: 'xai' })).toBeNull();
  });

  test('belong to the same account as its events', () => {
    expect(observationOfInspection(result)?.accountKey).toBe(observed(BOTH)?.accountKey ?? '');
  });
});
