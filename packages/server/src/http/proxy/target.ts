import { AppError } from '@manager/core/contract/errors';

/**
 * URL of a request at the gateway: its scheme, host and base path, then the path of the request as sent and its query.
 *
 * @example targetUrl('http://gateway:8317/base', 'http://manager/v0/management/config?x=1').href //
 * 'http://gateway:8317/base/v0/management/config?x=1'
 */
export function targetUrl(
  baseUrl: string,
  requestUrl: string,
  filterQuery: (query: string) => string = (query) => query,
): string {
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
  const query = mark < 0 ? '' : filterQuery(rest.slice(mark + 1));
  const queries = [base.search.slice(1), query].filter((part) => part !== '').join('&');
  return `${base.protocol}//${base.host}${base.pathname.replace(/\/+$/, '')}${path}${queries ? `?${queries}` : ''}`;
}

/** A query without the parameters that say what is forbidden; unchanged when there is none. */
export function withoutParameters(query: string, isForbidden: (text: string) => boolean): string {
  if (query === '' || !isForbidden(query)) return query;
  const rest = query
    .split('&')
    .filter((parameter) => !isForbidden(parameter))
    .join('&');
  return isForbidden(rest) ? '' : rest;
}
