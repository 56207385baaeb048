/** First path segments below `/v0/management/` that the manager or the gateway itself answers; others may belong to plugins. */
const MANAGER_HEADS = [
  'account-action-candidates',
  'account-inspection',
  'api-key-aliases',
  'codex-inspection',
  'dashboard',
  'model-prices',
  'monitoring',
  'quota-snapshots',
  'usage',
];
const UPSTREAM_HEADS =
  'accounts anthropic-auth-url antigravity-auth-url api-call api-key-usage api-keys auth-files claude-api-key codex-api-key codex-auth-url config config.yaml debug error-logs-max-files force-model-prefix gemini-api-key get-auth-status interactions-api-key kimi-auth-url latest-version logging-to-file logs logs-max-total-size-mb max-retry-credentials max-retry-interval model-definitions oauth-excluded-models oauth-model-alias oauth-request-scoped-errors oauth-session openai-compatibility plugin-store plugins proxy-url quota-exceeded reload request-error-logs request-log request-log-by-id request-retry reset-quota routing usage-queue usage-statistics-enabled vertex vertex-api-key ws-auth xai-api-key xai-auth-url'.split(
    ' ',
  );
export const RESERVED_HEADS: ReadonlySet<string> = new Set([...MANAGER_HEADS, ...UPSTREAM_HEADS]);

const MANAGEMENT_PREFIX = '/v0/management/';

/**
 * Who may reach a management path, and with whose key.
 * - `built-in`: only with the admin key, then with the saved key.
 * - `oauth-return`: a provider's redirect; open, with the caller's own headers.
 * - `plugin-owned`: while the gateway has plugins, open with the caller's own key; else as `built-in`. With the admin key the
 *   saved key is used.
 */
export type PathClass = 'built-in' | 'oauth-return' | 'plugin-owned';

/** @example classifyManagementPath('GET', '/v0/management/config') === 'built-in' */
export function classifyManagementPath(method: string, path: string): PathClass {
  const rest = path.slice(MANAGEMENT_PREFIX.length);
  const slash = rest.indexOf('/');
  const head = decodeSegment(slash < 0 ? rest : rest.slice(0, slash)).toLowerCase();
  if (
    head === 'oauth-callback' &&
    rest.replace(/\/+$/, '') === 'oauth-callback' &&
    (method === 'GET' || method === 'POST')
  )
    return 'oauth-return';
  // An empty head (`/v0/management//config`) may be merged into a built-in path behind us, so it is never open.
  return head === '' || head === 'oauth-callback' || RESERVED_HEADS.has(head) ? 'built-in' : 'plugin-owned';
}

/**
 * The head as a server behind us may see it: percent-encoding is decoded, so that `%63onfig` is not taken for a plugin.
 */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
