import { expect, test } from 'bun:test';
import { transportError } from './errors.ts';
import { tlsFailureOf } from './tls-failure.ts';

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate_untrusted'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate_untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate_untrusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate_untrusted'],
  ['CERT_REVOKED', 'certificate_untrusted'],
  ['INVALID_CA', 'certificate_untrusted'],
  ['INVALID_PURPOSE', 'certificate_untrusted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate_other_host'],
  ['HOSTNAME_MISMATCH', 'certificate_other_host'],
  ['CERT_HAS_EXPIRED', 'certificate_expired'],
  ['CERT_NOT_YET_VALID', 'certificate_expired'],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'tls_broken'],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'tls_broken'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'tls_broken'],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'tls_broken'],
  ['EPROTO', 'tls_broken'],
  ['ECONNRESET', null],
  ['ECONNREFUSED', null],
  ['InvalidContentLength', null],
] as const)('%s is %s', (code, kind) => {
  expect(tlsFailureOf(code)).toBe(kind);
});

test('a request over TLS that broke may have arrived, one before the handshake has not', () => {
  const of = (code: string) => transportError(Object.assign(new Error('x'), { code }));
  expect([of('EPROTO').unsent, of('EPROTO').down]).toEqual([false, true]);
  expect([of('CERT_HAS_EXPIRED').unsent, of('CERT_HAS_EXPIRED').down]).toEqual([true, true]);
});
