import { isIP } from 'node:net';

/** Network address of a gateway; `host` has no brackets around an IPv6 literal. */
export interface GatewayAddress {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly origin: string;
}

/** @throws TypeError when the text is no URL. */
export function addressOf(baseUrl: string): GatewayAddress {
  const url = new URL(baseUrl);
  const secure = url.protocol === 'https:' || url.protocol === 'wss:';
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    secure,
    origin: url.origin,
  };
}

/** URL of a management path; the path of the base URL stays before it. */
export function managementUrl(baseUrl: string, path: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/v0/management/${path}`;
}

/** TLS names only hosts; a literal address is checked against the certificate directly. */
export function serverNameOf(address: GatewayAddress): { readonly servername?: string } {
  return isIP(address.host) === 0 ? { servername: address.host } : {};
}
