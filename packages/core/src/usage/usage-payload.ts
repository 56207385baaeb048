import { residualCachedTokens } from './cache-accounting.ts';
import type { UsageEvent } from './event.ts';
import { metadataObject } from './metadata-text.ts';
import { analyticsModel, effectiveRequestedModel } from './models.ts';

/** One entry of the compatible usage payload and its keys. */
export interface UsageDetailEntry {
  /** Key of `apis`. */
  readonly endpoint: string;
  /** Key of `models`: the analytics model. */
  readonly model: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

function textOrNothing(text: string): string | undefined {
  return text === '' ? undefined : text;
}

/** Members whose value is `undefined` are left out when the entry is written as JSON. */
export function usageDetail(event: UsageEvent): UsageDetailEntry {
  const residual = residualCachedTokens(event);
  return {
    endpoint: event.endpoint || '-',
    model: analyticsModel(event) || '-',
    detail: {
      // The position of a detail changes from one payload to the next, so an import recognizes the event only by this.
      event_hash: event.event_hash,
      timestamp: event.timestamp,
      source: event.source,
      auth_index: textOrNothing(event.auth_index),
      api_key_hash: textOrNothing(event.api_key_hash),
      account_snapshot: textOrNothing(event.account_snapshot),
      auth_label_snapshot: textOrNothing(event.auth_label_snapshot),
      auth_file_snapshot: textOrNothing(event.auth_file_snapshot),
      auth_provider_snapshot: textOrNothing(event.auth_provider_snapshot),
      auth_project_id_snapshot: textOrNothing(event.auth_project_id_snapshot),
      auth_snapshot_at_ms: event.auth_snapshot_at_ms ?? undefined,
      latency_ms: event.latency_ms ?? undefined,
      ttft_ms: event.ttft_ms ?? undefined,
      requested_model: textOrNothing(effectiveRequestedModel(event)),
      resolved_model: textOrNothing(event.resolved_model),
      reasoning_effort: textOrNothing(event.reasoning_effort),
      service_tier: textOrNothing(event.service_tier),
      request_service_tier: textOrNothing(event.request_service_tier),
      response_service_tier: textOrNothing(event.response_service_tier),
      cache_input_mode: event.cache_input_mode,
      executor_type: textOrNothing(event.executor_type),
      tokens: {
        input_tokens: event.input_tokens,
        output_tokens: event.output_tokens,
        reasoning_tokens: event.reasoning_tokens,
        cached_tokens: residual,
        cache_tokens: residual,
        cache_read_tokens: event.cache_read_tokens,
        cache_creation_tokens: event.cache_creation_tokens,
        cache_write_1h_tokens: event.cache_write_1h_tokens === 0 ? undefined : event.cache_write_1h_tokens,
        total_tokens: event.total_tokens,
      },
      failed: event.failed,
      fail_status_code: event.fail_status_code ?? undefined,
      fail_summary: textOrNothing(event.fail_summary),
      response_metadata: metadataObject(event.response_metadata_json) ?? undefined,
    },
  };
}
