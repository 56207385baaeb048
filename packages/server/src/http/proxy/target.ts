import { AppError } from '@manager/core/contract/errors';

/**
 * URL of a request at the gateway: its scheme, host and base path, then the path and query of the request as sent.
 *
 * @example targetUrl('http://gateway:8317/base', 'http://manager/v0/management/config?x=1').href //
 * 'http://gateway:8317/base/v0/management/config?x=1'
 */
export function targetUrl(baseUrl: string, requestUrl: string): string {
  let base: URL;
  try {
    base = new URL(baseUrl);
  } catch (cause) {
    throw new AppError('stored_gateway_url_invalid', { cause });
  }
  const start = requestUrl.indexOf('/', requestUrl.indexOf('://') + 3);
  const rest = start < 0 ? '/' : requestUrl.slice(start);
  const mark = rest.indexOf('?');
  const path = mark < 0 ? rest : rest.slice(0, mark);
  const query = mark < 0 ? '' : rest.slice(mark + 1);
  const queries = [base.search.slice(1), query].filter((part) => part !== '').join('&');
  return `${base.protocol}//${base.host}${base.pathname.replace(/\/+$/, '')}${path}${queries ? `?${queries}` : ''}`;
}
