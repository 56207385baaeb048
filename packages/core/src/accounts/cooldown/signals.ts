import { trimText } from '../../json/text.ts';
import { normalizedProvider } from '../../usage/account-key.ts';
import type { UsageEvent } from '../../usage/event.ts';
import type { ProviderUsage } from '../../usage/metadata-schema.ts';
import { isNativeXai } from '../../usage/provider-usage.ts';
import { directSnapshot } from '../identity.ts';
import { storedMetadata } from '../stored-texts.ts';
import { freeUsageEnd } from './free-usage.ts';
import type { CooldownOwner } from './owners.ts';
import { usageLimitEnd } from './usage-limit.ts';

/** Members of a stored event that cooldowns need. */
export type CooldownEvent = Pick<
  UsageEvent,
  | 'event_hash'
  | 'timestamp_ms'
  | 'failed'
  | 'fail_status_code'
  | 'fail_body'
  | 'fail_summary'
  | 'raw_json'
  | 'response_metadata_json'
  | 'header_error_kind'
  | 'header_error_code'
  | 'provider'
  | 'auth_provider_snapshot'
  | 'executor_type'
  | 'auth_file_snapshot'
  | 'auth_index'
  | 'account_snapshot'
>;

/** An account that one event says should rest. '' = unknown. */
export interface CooldownCandidate {
  readonly file: string;
  readonly authIndex: string;
  readonly provider: 'codex' | 'xai';
  readonly accountSnapshot: string;
  readonly owner: CooldownOwner;
  readonly reasonCode: string;
  readonly windowKind: string;
  readonly recoverAtMs: number;
  /** True when no answer stated the time. */
  readonly estimated: boolean;
  readonly evidence: ProviderUsage | null;
  readonly eventHash: string;
}

/** A candidate with the time of its event. */
export interface SeenCooldown {
  readonly candidate: CooldownCandidate;
  readonly seenAtMs: number;
}

/**
 * The cooldown that a failed event calls for; `null` for none. Relative times count from the event, so a batch that is
 * processed late gives the same result.
 */
export function cooldownSignal(event: CooldownEvent, nowMs: number): CooldownCandidate | null {
  const file = trimText(event.auth_file_snapshot);
  const status = event.fail_status_code;
  if (!event.failed || file === '' || (status !== 402 && status !== 429)) return null;
  const common = {
    file,
    authIndex: trimText(event.auth_index),
    accountSnapshot: directSnapshot(event.account_snapshot, file),
    eventHash: event.event_hash,
  };
  if (isNativeXai(event)) {
    const end = freeUsageEnd(event, storedMetadata(event), nowMs);
    if (end !== null) {
      return {
        ...common,
        ...end,
        provider: 'xai',
        owner: 'manager_xai_free_usage',
        reasonCode: 'xai_free_usage_exhausted',
        windowKind: 'rolling_24h',
      };
    }
  }
  const provider = normalizedProvider(trimText(event.provider) || event.auth_provider_snapshot);
  if (status !== 429 || provider !== 'codex') return null;
  const end = usageLimitEnd(event, storedMetadata(event), nowMs);
  if (end === null) return null;
  return {
    ...common,
    ...end,
    provider: 'codex',
    owner: 'manager_usage_429',
    reasonCode: 'codex_usage_limit_reached',
    estimated: false,
    evidence: null,
  };
}
