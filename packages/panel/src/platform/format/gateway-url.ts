import { normaliseGatewayUrl } from '@manager/core/connection/gateway-url';

/** `http://` when the scheme is missing; no management page or path, query, fragment or trailing slash. */
export function gatewayUrl(text: string): string {
  return normaliseGatewayUrl(text.trim().replace(/[?#].*$/s, ''));
}
