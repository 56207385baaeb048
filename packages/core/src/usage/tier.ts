import type { UsageEvent } from './event.ts';

export type TierIdentity = Pick<UsageEvent, 'executor_type' | 'provider' | 'auth_provider_snapshot' | 'auth_type'>;

export interface ServiceTiers {
  readonly request: string;
  /** `service_tier` of a stored record; empty for raw items. */
  readonly legacy: string;
  readonly response: string;
}

const CODEX = /codex/i;

/**
 * The tier for billing and grouping. Codex reports `default` even for fast requests, so there the request decides;
 * elsewhere the answer does.
 */
export function effectiveServiceTier(identity: TierIdentity, tiers: ServiceTiers): string {
  const isCodex =
    CODEX.test(identity.executor_type) ||
    CODEX.test(identity.provider) ||
    CODEX.test(identity.auth_provider_snapshot) ||
    CODEX.test(identity.auth_type);
  return isCodex ? tiers.request || tiers.legacy || tiers.response : tiers.response || tiers.legacy || tiers.request;
}
