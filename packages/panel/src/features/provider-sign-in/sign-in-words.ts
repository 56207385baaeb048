import { ApiError } from '../../platform/api/errors.ts';
import type { Masker } from '../../platform/format/mask.ts';
import { shown } from '../../platform/format/shown.ts';
import type { TextKey, Translate } from '../../platform/i18n/index.ts';
import { failureText } from '../../ui/feedback/states.tsx';

/** What the gateway says of a failure, else its class. */
export function failureWords(error: unknown, t: Translate, masker: Masker): string {
  const { key, values } = failureText(error);
  const words = error instanceof ApiError && error.kind === 'status' && error.hop === null ? error.message : '';
  return words === '' ? t(key, values) : gatewayWords(words, t, masker);
}

/** Known texts of the gateway about a sign-in that did not work. */
const KNOWN: readonly (readonly [part: string, text: TextKey])[] = [
  ['unknown or expired state', 'providerSignIn.unknownState'],
  ['timeout', 'providerSignIn.timedOut'],
  ['failed to generate authorization url', 'providerSignIn.noInternet'],
  ['failed to start device authorization', 'providerSignIn.noInternet'],
  ['does not match state', 'providerSignIn.otherState'],
  ['already completed', 'providerSignIn.alreadyDone'],
];

export function gatewayWords(message: string, t: Translate, masker: Masker): string {
  const known = KNOWN.find(([part]) => message.toLowerCase().includes(part));
  const words = shown(masker.text(message), 300);
  const reports = words === '' ? '' : `${t('providerSignIn.reports')} ${words}`;
  return known === undefined ? reports || t('failure.request') : `${t(known[1])} ${reports}`;
}

/** `4:05` of a duration. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
