/** A page in this sandbox has an origin of its own: no storage, no cookies and no requests as the panel. */
const SANDBOX = 'sandbox allow-scripts allow-forms allow-popups allow-downloads';

/**
 * Headers that change more than the answer they are in: stored state, workers, other addresses to load, and the password dialog of the
 * browser, which has the manager's address in it and sends what is typed to the gateway.
 */
const NEVER_PASSED = [
  'set-cookie',
  'set-cookie2',
  'service-worker-allowed',
  'clear-site-data',
  'strict-transport-security',
  'refresh',
  'link',
  'speculation-rules',
  'alt-svc',
  'accept-ch',
  'nel',
  'report-to',
  'reporting-endpoints',
  'critical-ch',
  'set-login',
  'www-authenticate',
  'authentication-info',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'no-vary-search',
  'content-location',
  'sourcemap',
  'x-sourcemap',
];

/**
 * Everything forwarded runs on the manager's origin, where the panel keeps the admin key. Changes the headers of the answer in
 * place.
 *
 * @param isTrusted leaves the page its origin and its own policy
 */
export function guardGatewayPage(headers: Headers, isTrusted: boolean): void {
  for (const name of NEVER_PASSED) headers.delete(name);
  headers.set('X-Content-Type-Options', 'nosniff');
  if (isTrusted) return;
  headers.delete('Content-Security-Policy-Report-Only');
  headers.set('Content-Security-Policy', SANDBOX);
}
