/** With two slashes of any kind where the colon is missing, and any number after one: usual slips of the hand. */
const SCHEME = /^(https?)(?::[\\/]+|[\\/]{2,})/i;

/**
 * One spelling per gateway address: scheme added when missing, no trailing slash, no management page or path. Blank stays blank.
 * Deliberately lenient, because rows and variables of any age pass through it; `gatewayUrlProblem` decides what may be saved.
 *
 * @example normaliseGatewayUrl(' gateway:8317/v0/management/ ') // 'http://gateway:8317'
 */
export function normaliseGatewayUrl(text: string): string {
  let url = text.trim();
  if (url === '') return '';
  url = url.replace(SCHEME, (_all, scheme: string) => `${scheme.toLowerCase()}://`);
  if (!url.includes('://')) url = `http://${url.replace(/^[\\/]+/, '')}`;
  // The address of the gateway's own page, as browsers show it.
  url = stripSlashes(url.replace(/\/management\.html\/*([?#].*)?$/is, ''));
  for (const suffix of ['/v0/management', '/v0']) {
    if (url.endsWith(suffix)) url = stripSlashes(url.slice(0, -suffix.length));
  }
  return url;
}

/** Why a normalized URL must not be saved, or null. The text never repeats the URL: it may contain a password. */
export function gatewayUrlProblem(normalised: string): string | null {
  // `URL` drops line breaks and encodes blanks.
  if (/\s/.test(normalised)) return 'the gateway URL contains a space';
  const url = URL.canParse(normalised) ? new URL(normalised) : null;
  if (url === null) return 'the gateway URL cannot be read; expected http(s)://host[:port]';
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return 'the gateway URL must start with http:// or https://';
  if (url.hostname === '') return 'the gateway URL has no host';
  if (url.port === '0') return 'the gateway URL has port 0, on which nothing can answer';
  if (url.username !== '' || url.password !== '') return 'the gateway URL must not contain a user name or password';
  // `URL` hides an empty query or fragment, so the text itself is checked.
  if (normalised.includes('?')) return 'the gateway URL must not contain a query';
  if (normalised.includes('#')) return 'the gateway URL must not contain a fragment';
  return null;
}

function stripSlashes(text: string): string {
  return text.replace(/\/+$/, '');
}
