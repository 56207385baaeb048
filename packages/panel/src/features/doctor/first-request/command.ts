/** Names that a machine has for itself or, in a container, for its host. */
const LOCAL = /^(localhost|127(\.\d+){3}|\[::1\]|host\.docker\.internal)$/i;

/**
 * Where clients probably reach the gateway: the manager's address of it, with the page's host for a name that only the manager's
 * machine knows.
 *
 * @param pageHost host name of the panel's address
 */
export function clientAddress(baseUrl: string, pageHost: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl;
  const url = new URL(baseUrl);
  if (LOCAL.test(url.hostname) && pageHost !== '') url.hostname = pageHost;
  return url.href.replace(/\/+$/, '');
}

export interface FirstRequest {
  readonly baseUrl: string;
  readonly model: string;
  /** null = the gateway asks clients for none. */
  readonly key: string | null;
}

/** One request for a shell. @param key as it is shown or sent */
export function curlCommand({ baseUrl, model, key }: FirstRequest): string {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });
  return [
    `curl ${quoted(`${baseUrl}/v1/chat/completions`)}`,
    ...(key === null ? [] : [`-H ${quoted(`Authorization: Bearer ${key}`)}`]),
    `-H ${quoted('Content-Type: application/json')}`,
    `-d ${quoted(body)}`,
  ].join(' \\\n  ');
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
