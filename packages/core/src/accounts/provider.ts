import { normalizedProvider } from '../usage/account-key.ts';

/** Providers whose quota windows are stored as snapshots. */
export const QUOTA_PROVIDERS = ['codex', 'claude', 'antigravity', 'kimi', 'xai'] as const;
export type QuotaProvider = (typeof QUOTA_PROVIDERS)[number];

/** The normalized provider name; null for a provider without known quotas. */
export function quotaProvider(provider: string): QuotaProvider | null {
  const usual = QUOTA_PROVIDERS.find((known) => known === provider);
  if (usual !== undefined) return usual;
  const name = normalizedProvider(provider);
  return QUOTA_PROVIDERS.find((known) => known === name) ?? null;
}

/** @example sameProvider('X_AI', 'grok') // true */
export function sameProvider(left: string, right: string): boolean {
  return normalizedProvider(left) === normalizedProvider(right);
}
