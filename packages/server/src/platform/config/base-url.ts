import { AppError } from '@manager/core/contract/errors';

/**
 * One spelling per gateway address: scheme added when missing, no trailing slash, no management page or path. Blank stays blank.
 * Deliberately lenient, because rows and variables of any age pass through it; submitted values go through `requireBaseUrl`.
 *
 * @example normaliseBaseUrl(' gateway:8317/v0/management/ ') // 'http://gateway:8317'
 */
export function normaliseBaseUrl(text: string): string {
  let url = text.trim();
  if (url === '') return '';
  if (!url.includes('://')) url = `http://${url}`;
  // The address of the gateway's own page, as browsers show it.
  url = stripSlashes(url.replace(/\/management\.html\/*([?#].*)?$/s, ''));
  for (const suffix of ['/v0/management', '/v0']) {
    if (url.endsWith(suffix)) url = stripSlashes(url.slice(0, -suffix.length));
  }
  return url;
}

/** Why a normalized URL must not be saved, or null. The text never repeats the URL: it may contain a password. */
export function baseUrlProblem(normalised: string): string | null {
  const url = parse(normalised);
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

/** Normalizes a submitted URL, or throws a 400 with the problem. Blank stays blank. */
export function requireBaseUrl(text: string): string {
  const url = normaliseBaseUrl(text);
  if (url === '') return '';
  const problem = baseUrlProblem(url);
  if (problem !== null) throw new AppError('gateway_url_invalid', { message: problem });
  return url;
}

/** The same URL without the parts that a base URL must not have and that could contain a secret. */
export function withoutSecrets(normalised: string): string {
  const url = parse(normalised);
  if (url === null) return normalised.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
  if (url.username === '' && url.password === '' && !/[?#]/.test(normalised)) return normalised;
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return stripSlashes(url.href);
}

function parse(url: string): URL | null {
  try {
    return new URL(url);
  } catch {
    return null;
  }
}

function stripSlashes(text: string): string {
  return text.replace(/\/+$/, '');
}
