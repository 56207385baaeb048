import { maskSource } from '@manager/core/redaction/redact';
import { assembleEvent } from '@manager/core/usage/assemble';
import { completeEndpoint } from '@manager/core/usage/endpoint';
import { failureColumns, NO_FAILURE } from '@manager/core/usage/failure';
import { prepareForInsert } from '@manager/core/usage/insert';
import { isKeySource, type KeyFacts } from '@manager/core/usage/key-source';
import { originOf, readRequestFacts } from '@manager/core/usage/request-facts';
import { effectiveServiceTier } from '@manager/core/usage/tier';
import type { Instant } from '@manager/core/usage/timestamp';
import { accountTokens } from '@manager/core/usage/tokens';
import { sha256Hex } from '../../../platform/sha256.ts';
import type { MappedRow } from './format-a.ts';
import type { ForeignTimes } from './times.ts';
import type { CellReader, ForeignRow } from './values.ts';

export interface ReaderOfB {
  read(row: ForeignRow, nowMs: number): MappedRow;
}

const FACTS = [
  'executor_type',
  'client_ip',
  'x_forwarded_for',
  'user_agent',
  'auth_type',
  'auth_index',
  'reasoning_effort',
  'response_service_tier',
] as const;

const UNKNOWN_KEY = 'unknown';

/**
 * Rows of format B have neither identity nor original. The identity is made of stable values of that database: its oldest row,
 * and id, time text, model, request id and tokens of the row.
 *
 * @param oldest row with the smallest id of the database
 */
export function createReaderOfB(oldest: ForeignRow, cells: CellReader, times: ForeignTimes): ReaderOfB {
  const database = [cells.integer(oldest, 'row_id'), cells.text(oldest, 'timestamp')];

  return {
    read(row, nowMs) {
      const time = times.read(row.timestamp);
      if (time === null) return { kind: 'not_mapped', reason: 'timestamp: missing or not readable' };
      const text = (column: string) => cells.text(row, column).trim();
      const tokens = {
        input_tokens: cells.integer(row, 'input_tokens'),
        output_tokens: cells.integer(row, 'output_tokens'),
        reasoning_tokens: cells.integer(row, 'reasoning_tokens'),
        cached_tokens: cells.integer(row, 'cached_tokens'),
        cache_tokens: 0,
        cache_read_tokens: cells.integer(row, 'cache_read_tokens'),
        cache_creation_tokens: cells.integer(row, 'cache_creation_tokens'),
        total_tokens: cells.integer(row, 'total_tokens'),
      };
      // Input includes cache read and creation, output includes reasoning.
      if (tokens.total_tokens <= 0)
        tokens.total_tokens = Math.max(tokens.input_tokens, 0) + Math.max(tokens.output_tokens, 0);
      const requestId = text('request_id') || text('event_key');
      const identity = [
        'usage database B',
        ...database,
        cells.integer(row, 'row_id'),
        cells.text(row, 'timestamp'),
        text('model'),
        requestId,
        ...Object.values(tokens),
      ];
      return mapped(
        row,
        {
          time,
          tokens: { ...tokens, cache_write_1h_tokens: 0 },
          requestId,
          eventHash: sha256Hex(JSON.stringify(identity)),
          nowMs,
        },
        text,
        cells,
      );
    },
  };
}

interface Known {
  readonly time: Instant;
  readonly tokens: Parameters<typeof accountTokens>[0];
  readonly requestId: string;
  readonly eventHash: string;
  readonly nowMs: number;
}

function mapped(row: ForeignRow, known: Known, text: (column: string) => string, cells: CellReader): MappedRow {
  const facts = {
    ...readRequestFacts(Object.fromEntries(FACTS.map((name) => [name, text(name)]))),
    ttft_ms: cells.optionalInteger(row, 'ttft_ms'),
  };
  const resolved = text('model');
  const requested = text('model_alias') || resolved;
  const models = { requested_model: requested, resolved_model: resolved, model: requested || '-' };
  const provider = text('provider') || facts.auth_type;
  const origin = originOf(facts, models, provider);
  const failed = cells.integer(row, 'failed') !== 0;
  const requestTier = text('service_tier');
  const key = clientKey(text);
  const accounting = accountTokens(known.tokens, 'included_in_input', origin);
  const event = assembleEvent({
    eventHash: known.eventHash,
    requestId: known.requestId,
    time: known.time,
    models,
    route: completeEndpoint(text('endpoint'), '', ''),
    facts,
    unmasked: {
      provider,
      ...account(text('source'), { apiKey: key, authType: facts.auth_type, provider }),
      api_key_hash: key === '' ? '' : sha256Hex(key),
      latency_ms: cells.optionalInteger(row, 'latency_ms'),
    },
    projectId: '',
    requestTier,
    effectiveTier: effectiveServiceTier(origin, {
      request: requestTier,
      legacy: '',
      response: facts.response_service_tier,
    }),
    accounting,
    failed,
    failure: failureColumns(failed, NO_FAILURE, null),
    metadata: null,
    // States the reporting mode, as an original item would: it cannot be inferred from the provider.
    rawJson: JSON.stringify({ cache_input_mode: 'included_in_input', total_tokens: accounting.total_tokens }),
    createdAtMs: known.nowMs,
  });
  return { kind: 'event', event: prepareForInsert(event).event, recounted: false };
}

/** The client key; '' when the column has a placeholder. */
function clientKey(text: (column: string) => string): string {
  const key = text('api_group_key');
  return [text('provider'), text('endpoint'), UNKNOWN_KEY].includes(key) ? '' : key;
}

/** The account in its public form. */
function account(
  source: string,
  known: Omit<KeyFacts, 'source'>,
): { readonly source: string; readonly source_hash: string } {
  if (source === '') return { source: '', source_hash: '' };
  return { source: maskSource(source, isKeySource(source, known)), source_hash: sha256Hex(source) };
}
