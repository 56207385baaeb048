const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'If-None-Match',
  'X-Usage-Import-Prefix-SHA256',
  'X-CPAMP-Auth-File-Mutation-Identity',
  'X-CPAMP-Auth-File-Physical-Name',
  'X-CPAMP-Auth-File-Delete-Identities',
  'X-CPAMP-Auth-File-Write-Identities',
  'X-CPAMP-Auth-File-Write-Content-SHA256',
  'X-Codex-Invite-Origin',
  // Of plugin pages, which are sandboxed and so of another origin.
  'X-Management-Key',
].join(', ');
const EXPOSED_HEADERS = [
  'Content-Disposition',
  'ETag',
  'Location',
  'Retry-After',
  'X-CPA-VERSION',
  'X-CPA-COMMIT',
  'X-CPA-BUILD-DATE',
  'X-CPA-SUPPORT-PLUGIN',
  'X-Export-Rows',
  'X-Export-Deleted-Rows',
].join(', ');

/** Sets the CORS headers of an answer in place; none without a configured origin. */
export type ApplyCors = (request: Request, answer: Headers) => void;

/** Credentials mode is never enabled: the key is sent in a header, so a page has to know it. */
export function createCors(origins: readonly string[]): ApplyCors {
  const anyOrigin = origins.includes('*');
  return (request, answer) => {
    if (origins.length === 0) return;
    const origin = request.headers.get('origin');
    const allowed = origins.find((entry) => entry === '*' || entry === origin) ?? origins[0];
    if (allowed === '*') answer.set('Access-Control-Allow-Origin', '*');
    else if (origin !== null && allowed === origin) answer.set('Access-Control-Allow-Origin', origin);
    if (!anyOrigin) answer.append('Vary', 'Origin');
    answer.set('Access-Control-Allow-Methods', ALLOWED_METHODS);
    answer.set('Access-Control-Allow-Headers', ALLOWED_HEADERS);
    answer.set('Access-Control-Expose-Headers', EXPOSED_HEADERS);
  };
}
