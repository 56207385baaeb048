import { normalizedProvider } from '../usage/account-key.ts';

/** Providers whose quota windows are kept as snapshots. */
export const QUOTA_PROVIDERS = ['codex', 'claude', 'antigravity', 'kimi', 'xai'] as const;
export type QuotaProvider = (typeof QUOTA_PROVIDERS)[number];

/** The provider under its one name, null when no quota is known of it. */
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
