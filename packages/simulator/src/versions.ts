/** Compares dotted versions with or without `v`; negative when `left` is older. */
export function compareVersions(left: string, right: string): number {
  const a = parts(left);
  const b = parts(right);
  for (let index = 0; index < 3; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function parts(version: string): number[] {
  return version
    .replace(/^v/, '')
    .split(/[.-]/)
    .map((part) => Number.parseInt(part, 10) || 0);
}

/** Optional management features, with the first version that has them and, where removed, the last one. */
const FEATURES: Readonly<Record<string, { readonly since: string; readonly until?: string }>> = {
  'auth-files/fields': { since: '6.8.20' },
  'auth-files/several': { since: '6.9.2' },
  healthz: { since: '6.9.10' },
  'healthz/head': { since: '6.9.31' },
  'auth-index-in-lists': { since: '6.9.29' },
  'recent-requests': { since: '6.9.46' },
  'api-key-usage': { since: '6.9.47' },
  'auth-file-counters': { since: '6.9.49' },
  'usage-export': { since: '6.0.0', until: '6.9.49' },
  'queue-retention': { since: '6.10.1' },
  'first-byte-deadline': { since: '7.0.3' },
  websockets: { since: '7.1.22' },
  plugins: { since: '7.1.47' },
  'plugin-pages': { since: '7.1.59' },
  'plugin-header': { since: '7.1.69' },
  'plugin-store': { since: '7.1.69' },
  'plugin-config': { since: '7.1.72' },
  'plugin-delete': { since: '7.1.75' },
  'configured-key-status': { since: '7.2.5' },
  'log-cursor': { since: '7.2.6' },
  'gemini-cli-auth-url': { since: '6.0.0', until: '7.2.19' },
  'reset-quota': { since: '7.2.22' },
  'status-by-index': { since: '7.2.22' },
  'open-oauth-callback': { since: '7.2.23' },
  'interactions-api-key': { since: '7.2.51' },
  'safe-mode': { since: '7.2.51' },
  'oauth-session': { since: '7.2.64' },
  'xai-device-flow': { since: '7.2.64' },
  'xai-api-key': { since: '7.2.73' },
  'trace-id': { since: '7.2.84' },
  weights: { since: '7.2.104' },
  'api-call/proxy-url': { since: '7.2.130' },
  'oauth-request-scoped-errors': { since: '7.2.138' },
  'max-retry-credentials': { since: '7.2.140' },
};

export function featuresOf(version: string): ReadonlySet<string> {
  const known = new Set<string>();
  for (const [name, range] of Object.entries(FEATURES)) {
    const tooOld = compareVersions(version, range.since) < 0;
    const tooNew = range.until !== undefined && compareVersions(version, range.until) > 0;
    if (!tooOld && !tooNew) known.add(name);
  }
  return known;
}
