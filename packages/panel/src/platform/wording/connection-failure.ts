import type { ApiError } from '../api/errors.ts';
import type { TextKey } from '../i18n/index.ts';

/** Why a gateway refuses a connection that another key does not help; `reason` of the answer. */
const REASONS: Readonly<Record<string, TextKey>> = {
  address_banned: 'setup.failBanned',
  key_not_set: 'setup.failNoKey',
  remote_disabled: 'setup.failRemote',
  management_off: 'setup.failManagementOff',
};

/** Text for a connection that was not saved, at setup and in the settings; null = the code of the answer says enough. */
export function connectionFailure({ about }: ApiError): TextKey | null {
  return typeof about.reason === 'string' ? (REASONS[about.reason] ?? null) : null;
}

/** The text in the panel's language says all that the answer says. */
const COMPLETE: ReadonlySet<TextKey> = new Set([
  'setup.failSameKey',
  'setup.failAdminAsManagement',
  'setup.failManagementOff',
  'setup.failSpeaksPlain',
  'setup.failSpeaksTls',
]);

/** The manager's own words beside a text; '' where they add nothing. */
export function answerBeside(text: TextKey, { message }: ApiError): string {
  return COMPLETE.has(text) ? '' : message;
}

/** Minutes after which the same save is useful again. */
export function waitMinutes({ retryAfterSeconds }: ApiError): number {
  return Math.ceil((retryAfterSeconds ?? 0) / 60);
}

/** Rejected keys that the gateway still takes before it bans the manager; null where no key was rejected. */
export function triesLeft({ about }: ApiError): number | null {
  return typeof about.triesLeft === 'number' ? about.triesLeft : null;
}
