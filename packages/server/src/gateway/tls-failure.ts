/** Why there is no TLS connection. */
const KINDS = [
  /** Of an authority that is not trusted, or not usable for this. */
  'certificate_untrusted',
  /** Of another host than the URL names. */
  'certificate_other_host',
  /** Has expired, or is not valid yet. */
  'certificate_expired',
  /** The handshake failed, for another reason than the certificate of the gateway. */
  'tls_refused',
  /** A connection, and no answer to the TLS greeting. */
  'tls_silent',
  /** The same, or later: the HTTP client reports both with one code, so the request may have arrived. */
  'tls_broken',
] as const;

export type TlsFailureKind = (typeof KINDS)[number];

export function isTlsFailure(kind: string): kind is TlsFailureKind {
  return KINDS.some((known) => known === kind);
}

const OTHER_HOST = /ALTNAME|^(HOSTNAME|IP_ADDRESS)_MISMATCH$/;
const EXPIRED = /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/;
/** What OpenSSL finds wrong with a chain, by the names that the runtime gives these errors. */
const UNTRUSTED =
  /^(CERT|CRL)_|^UNABLE_TO_|SELF_SIGNED|^ERROR_IN_C|^INVALID_(CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$|CERTIFICATE_VERIFY_FAILED/;
const HANDSHAKE = /^(ERR_SSL_|ERR_TLS_|EPROTO$|TLSHandshakeFailed$)/;

/**
 * The kind of a failure by its code; null = it is not about TLS.
 *
 * @example tlsFailureOf('CERT_HAS_EXPIRED') // 'certificate_expired'
 */
export function tlsFailureOf(code: string): TlsFailureKind | null {
  // An alert is the gateway's word about the handshake; some have "certificate" in their names.
  if (code.includes('_ALERT_')) return 'tls_broken';
  if (OTHER_HOST.test(code)) return 'certificate_other_host';
  if (EXPIRED.test(code)) return 'certificate_expired';
  if (UNTRUSTED.test(code)) return 'certificate_untrusted';
  return HANDSHAKE.test(code) ? 'tls_broken' : null;
}

/**
 * The gateway's reason in words; '' = none.
 *
 * @example alertOf('ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE') // 'handshake failure'
 */
export function alertOf(code: string): string {
  return /_ALERT_([A-Z_]+)$/.exec(code)?.[1]?.toLowerCase().replaceAll('_', ' ') ?? '';
}
