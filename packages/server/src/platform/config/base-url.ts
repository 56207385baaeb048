import { gatewayUrlProblem, normaliseGatewayUrl } from '@manager/core/connection/gateway-url';
import { AppError } from '@manager/core/contract/errors';

/** Normalizes a submitted URL, or throws a 400 with the problem. Blank stays blank. */
export function requireBaseUrl(text: string): string {
  const url = normaliseGatewayUrl(text);
  if (url === '') return '';
  const problem = gatewayUrlProblem(url);
  if (problem !== null) throw new AppError('gateway_url_invalid', { message: problem });
  return url;
}

/** The same URL without the parts that a base URL must not have and that could contain a secret. */
export function withoutSecrets(normalised: string): string {
  if (!URL.canParse(normalised)) return normalised.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
  const url = new URL(normalised);
  if (url.username === '' && url.password === '' && !/[?#]/.test(normalised)) return normalised;
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href.replace(/\/+$/, '');
}
