import type { ErrorCode } from '@manager/core/contract/errors';
import type { ApiError } from '../api/errors.ts';
import { hourAndMinute } from '../format/time.ts';
import type { TextKey } from '../i18n/index.ts';

/** Why a gateway refuses a connection that another key does not help; `reason` of the answer. */
const REASONS: Readonly<Record<string, TextKey>> = {
  address_banned: 'setup.failBanned',
  key_not_set: 'setup.failNoKey',
  remote_disabled: 'setup.failRemote',
  management_off: 'setup.failManagementOff',
  client_key: 'setup.failClientKey',
  not_gateway: 'setup.failNotGateway',
  template_keys: 'setup.failTemplateKeys',
};

/** Codes for a gateway that cannot be talked to, and what to do: at setup, in the settings and of the doctor. */
export const NO_CONNECTION = {
  gateway_speaks_tls: 'setup.failSpeaksTls',
  gateway_speaks_plain_text: 'setup.failSpeaksPlain',
  gateway_certificate_untrusted: 'setup.failCertificate',
  gateway_certificate_other_host: 'setup.failCertificateHost',
  gateway_certificate_expired: 'setup.failCertificateDates',
  gateway_tls_failed: 'setup.failTls',
  gateway_answer_not_http: 'setup.failNotHttp',
} as const satisfies Partial<Record<ErrorCode, TextKey>>;

export function isNoConnection(code: string): code is keyof typeof NO_CONNECTION {
  return Object.hasOwn(NO_CONNECTION, code);
}

/**
 * Text for a connection that was not saved, at setup and in the settings, with the values of `refusalValues`; null = the code of the
 * answer says enough.
 */
export function connectionFailure({ about, retryAfterSeconds }: ApiError): TextKey | null {
  if (about.reason === 'address_banned' && retryAfterSeconds !== null) return 'setup.failBannedUntil';
  return typeof about.reason === 'string' ? (REASONS[about.reason] ?? null) : null;
}

/** The text in the panel's language says all that the answer says. */
const COMPLETE: ReadonlySet<TextKey> = new Set([
  'setup.failSameKey',
  'setup.failAdminAsManagement',
  'setup.failCertificateDates',
  'setup.failCertificateHost',
  'setup.failClientKey',
  'setup.failManagementOff',
  'setup.failNotGateway',
  'setup.failTemplateKeys',
  'setup.failSpeaksPlain',
  'setup.failSpeaksTls',
]);

/** The manager's own words beside a text; '' where they add nothing. */
export function answerBeside(text: TextKey, { message }: ApiError): string {
  return COMPLETE.has(text) ? '' : message;
}

/** What the texts about a refusal name: after how many minutes, and at what time, the same is useful again. */
export function refusalValues(
  { retryAfterSeconds, atMs }: Pick<ApiError, 'retryAfterSeconds' | 'atMs'>,
  zone: string,
): { readonly minutes: number; readonly until: string } {
  const seconds = retryAfterSeconds ?? 0;
  // The minute after it, so that nobody comes too early.
  return { minutes: Math.ceil(seconds / 60), until: hourAndMinute(atMs + seconds * 1000 + 59_999, zone) };
}

/** Rejected keys that the gateway still takes before it bans the manager; null where no key was rejected. */
export function triesLeft({ about }: ApiError): number | null {
  return typeof about.triesLeft === 'number' ? about.triesLeft : null;
}
