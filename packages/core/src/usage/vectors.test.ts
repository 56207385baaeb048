import { describe, expect, test } from 'bun:test';
import { maskSource, sanitizeFailureText } from '../redaction/redact.ts';
import { accountKey } from './account-key.ts';
import { explicitCacheMode, inferCacheMode, inferInputBuckets, residualCachedTokens } from './cache-accounting.ts';
import vectors from './fixtures/token-vectors.json';
import { identityText } from './identity.ts';
import { detectImportFormat, readImportedRecord } from './import-record.ts';
import { legacyDetailText, readLegacySnapshot } from './legacy-snapshot.ts';
import { analyticsModel, withoutReasoningSuffix } from './models.ts';
import { redactedJsonText } from './raw-json.ts';
import { buildResponseMetadata, headerColumns } from './response-metadata.ts';
import { context, eventOf } from './testing/context.ts';
import { effectiveServiceTier } from './tier.ts';
import { readInstant } from './timestamp.ts';

describe('raw items', () => {
  for (const { id, title, payload, expected } of vectors.raw_events) {
    test(`${id}: ${title}`, () => {
      const event = eventOf(payload);
      expect({ ...event, analytics_model: analyticsModel(event) }).toMatchObject(expected);
    });
  }
});

interface CacheContext {
  explicitMode?: string;
  executorType?: string;
  provider?: string;
  providerSnapshot?: string;
  resolvedModel?: string;
  requestedModel?: string;
  displayModel?: string;
}

describe('cache accounting', () => {
  for (const vector of vectors.cache_accounting) {
    test(vector.title, () => {
      const given: CacheContext = vector.context;
      const counts: { input?: number; cached?: number; cache?: number; read?: number; creation?: number } =
        vector.tokens;
      const tokens = {
        input_tokens: counts.input ?? 0,
        cached_tokens: counts.cached ?? 0,
        cache_tokens: counts.cache ?? 0,
        cache_read_tokens: counts.read ?? 0,
        cache_creation_tokens: counts.creation ?? 0,
      };
      const facts = {
        executor_type: given.executorType ?? '',
        provider: given.provider ?? '',
        auth_provider_snapshot: given.providerSnapshot ?? '',
        resolved_model: given.resolvedModel ?? '',
        requested_model: given.requestedModel ?? '',
        model: given.displayModel ?? '',
      };
      const mode = explicitCacheMode(given.explicitMode ?? '') ?? inferCacheMode(facts, tokens);
      const buckets = inferInputBuckets(mode, tokens);
      expect({
        mode: String(mode),
        uncached: buckets.normalized_uncached_input_tokens,
        totalInput: buckets.normalized_total_input_tokens,
        cacheRead: buckets.normalized_cache_read_tokens,
        cacheCreation: buckets.normalized_cache_creation_tokens,
      }).toEqual(vector.expected);
    });
  }
});

test('residual cached tokens', () => {
  for (const { cached, cache, read, creation, expected } of vectors.residual_cached_tokens) {
    const residual = residualCachedTokens({
      cached_tokens: cached,
      cache_tokens: cache,
      cache_read_tokens: read,
      cache_creation_tokens: creation,
    });
    expect({ cached, cache, read, creation, residual }).toEqual({ cached, cache, read, creation, residual: expected });
  }
});

test('timestamps', () => {
  for (const { value, expected } of vectors.timestamps) {
    expect(readInstant(value)).toEqual({ ms: expected.timestamp_ms, text: expected.timestamp });
  }
});

test('analytics model', () => {
  for (const { model, expected } of vectors.analytics_model) {
    expect({ model, result: withoutReasoningSuffix(model) }).toEqual({ model, result: expected });
  }
});

test('source masking', () => {
  for (const { value, expected } of vectors.source_masking) {
    expect(maskSource(value)).toBe(expected.source);
    const event = eventOf({ source: value, model: 'm' });
    expect({ source: event.source, source_hash: event.source_hash }).toEqual(expected);
  }
});

describe('source masking by what the event says', () => {
  for (const { expected, ...item } of vectors.source_masking_by_event) {
    test(`${item.provider}, ${item.auth_type}: ${expected.source}`, () => {
      const event = eventOf({ ...item, model: 'm' });
      expect({ source: event.source, source_hash: event.source_hash }).toEqual(expected);
      expect(JSON.parse(event.raw_json).source).toBe(expected.source);
      if (expected.source !== item.source) expect(JSON.stringify(event)).not.toContain(item.source);
      expect(eventOf({ ...item, source: expected.source, model: 'm' }).source).toBe(expected.source);
      const record = readImportedRecord({ ...event, source: item.source, raw_json: JSON.stringify(item) }, context);
      if (record.kind !== 'event') throw new Error(record.error);
      expect(record.event).toMatchObject(expected);
      expect(JSON.parse(JSON.parse(record.event.raw_json).raw_json).source).toBe(expected.source);
      const again = readImportedRecord({ ...record.event }, context);
      expect(again).toMatchObject({ event: { source: expected.source, raw_json: record.event.raw_json } });
    });
  }
});

test('a failure does not quote the keys of its request', () => {
  const item = { provider: 'claude', auth_type: 'apikey', source: 'team/prod-key-7781', api_key: 'my own key 123456' };
  const fail = { status_code: 401, body: 'invalid: team/prod-key-7781, asked by my own key 123456' };
  const event = eventOf({ ...item, model: 'm', failed: true, fail });
  const body = 'invalid: m:team...7781, asked by m:my o...3456';
  expect(event).toMatchObject({ fail_summary: body, fail_body: body });
  expect(JSON.parse(event.raw_json).fail.body).toBe(body);
  const oauth = eventOf({ ...item, auth_type: 'oauth', api_key: 'm', model: 'm', failed: true, fail });
  expect(oauth.fail_summary).toBe(fail.body);
});

test('at Vertex, what cannot be a project is a key', () => {
  const sourceOf = (source: string) => eventOf({ provider: 'vertex', auth_type: 'apikey', source, model: 'm' }).source;
  for (const project of ['demo-project-1', 'example.com:demo-project', '123456789012']) {
    expect(sourceOf(project)).toBe(project);
  }
  expect(sourceOf('AQ.Ab8Demo_key')).toBe('m:AQ.A..._key');
});

test('failure redaction', () => {
  for (const { value, expected } of vectors.failure_redaction) expect(sanitizeFailureText(value)).toBe(expected);
});

test('failure truncation', () => {
  for (const { value, expected } of vectors.failure_truncation) expect(sanitizeFailureText(value)).toBe(expected);
});

test('account key', () => {
  for (const { fields, expected } of vectors.account_key) {
    const given: Record<string, string> = { ...fields };
    const key = accountKey({
      auth_file_snapshot: given.auth_file_snapshot ?? '',
      auth_index: given.auth_index ?? '',
      auth_project_id_snapshot: given.auth_project_id_snapshot ?? '',
      auth_provider_snapshot: given.auth_provider_snapshot ?? '',
      auth_label_snapshot: given.auth_label_snapshot ?? '',
      account_snapshot: given.account_snapshot ?? '',
      provider: given.provider ?? '',
      source: given.source ?? '',
    });
    expect(key).toBe(expected);
  }
});

test('account key of a name beyond ASCII has its UTF-8', () => {
  for (const name of ['aßé漢字😀', '\u007f\u0080', 'zoë@example.test']) {
    const fields = {
      auth_file_snapshot: '',
      auth_index: '',
      auth_project_id_snapshot: '',
      auth_provider_snapshot: 'codex',
    };
    const key = accountKey({ ...fields, auth_label_snapshot: '', account_snapshot: name, provider: '', source: '' });
    expect(key.split(':').at(-1)).toBe(Buffer.from(name).toString('hex').toUpperCase());
  }
});

describe('effective service tier', () => {
  for (const { title, context: identity, request, legacy, response, expected } of vectors.effective_service_tier) {
    test(title, () => {
      const given: { executorType?: string; provider?: string; providerSnapshot?: string; authType?: string } =
        identity;
      const tier = effectiveServiceTier(
        {
          executor_type: given.executorType ?? '',
          provider: given.provider ?? '',
          auth_provider_snapshot: given.providerSnapshot ?? '',
          auth_type: given.authType ?? '',
        },
        { request, legacy, response },
      );
      expect(tier).toBe(expected);
    });
  }
});

describe('event hash', () => {
  for (const { title, fields, preimage, expected } of vectors.event_hash) {
    test(title, () => {
      expect(identityText(fields)).toBe(preimage);
      expect(context.sha256Hex(identityText(fields))).toBe(expected);
    });
  }
});

describe('import of exported records', () => {
  for (const { title, line, expected } of vectors.exported_record_import) {
    test(title, () => {
      const outcome = readImportedRecord(line, context);
      if (outcome.kind !== 'event') throw new Error(outcome.error);
      expect({ ...outcome.event, analytics_model: analyticsModel(outcome.event) }).toMatchObject(expected);
    });
  }
});

describe('import format', () => {
  for (const vector of vectors.import_format_detection) {
    test(vector.title, () => {
      const detected = detectImportFormat(vector.first_value);
      const rejected = vector.expected === 'reject_no_details';
      expect(detected.kind === 'aggregates_only').toBe(rejected);
      expect(String(detected.format)).toBe(rejected ? (vector.expected_format ?? '') : vector.expected);
    });
  }
});

test('legacy snapshot', () => {
  const { payload, expected_format, expected_events } = vectors.legacy_snapshot_import;
  expect(String(detectImportFormat(payload).format)).toBe(expected_format);
  const { events, failed, unsupported } = readLegacySnapshot(payload.usage.apis, context);
  expect({ count: events.length, failed, unsupported }).toEqual({ count: 3, failed: 0, unsupported: 0 });
  const models: Record<string, { details: readonly object[] }> = payload.usage.apis['POST /v1/responses'].models;
  for (const [index, expected] of expected_events.entries()) {
    const { endpoint_rank, model_rank, detail_index, raw_json, ...members } = expected;
    const event = events[index];
    if (event === undefined) throw new Error('event missing');
    expect({ ...event, analytics_model: analyticsModel(event) }).toMatchObject(members);
    const model = Object.keys(models).sort()[model_rank - 1] ?? '';
    const detail = models[model]?.details[detail_index] ?? {};
    const position = {
      endpoint: 'POST /v1/responses',
      endpointRank: endpoint_rank,
      model,
      modelRank: model_rank,
      detailIndex: detail_index,
    };
    expect(legacyDetailText({ ...detail }, position)).toBe(raw_json);
    // The stored text is the same after the wider redaction of the insert.
    expect(event.raw_json).toBe(redactedJsonText(raw_json));
  }
});

describe('response headers', () => {
  for (const { title, base_ms, headers, expected, derived } of vectors.response_header_metadata) {
    test(title, () => {
      const metadata = buildResponseMetadata({ headers: [{ ...headers }], baseMs: base_ms });
      if (expected === null) expect(metadata).toBeNull();
      else expect(metadata).toMatchObject(expected);
      expect(headerColumns(metadata)).toMatchObject(derived);
    });
  }
});
