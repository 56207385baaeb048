import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { maskEvent } from '@manager/core/masking/mask-event';
import { hashPrefix, type Masker } from '../format/mask.ts';
import { shown } from '../format/shown.ts';
import type { Translate } from '../i18n/index.ts';

/** How one event is named on screen; the same for table, list, drawer and export. */
export interface EventNames {
  /** '' when unknown. */
  readonly account: string;
  readonly provider: string;
  readonly key: string;
}

interface NamedAccount {
  readonly account_snapshot?: string | undefined;
  readonly auth_label_snapshot?: string | undefined;
  readonly source?: string | undefined;
}

/** Account or label before any fingerprint, masked; '' = unknown. */
export const accountNameOf = (row: NamedAccount, masker: Masker): string =>
  masker.account(row.account_snapshot || row.auth_label_snapshot || '') || masker.source(row.source ?? '');

/** The key by its name, else by the start of its hash. */
export function eventNames(event: EventRow, keyNames: ReadonlyMap<string, string>, masker: Masker): EventNames {
  const account = accountNameOf(event, masker) || masker.account(event.auth_file_snapshot || event.auth_index);
  return {
    account: shown(account),
    provider: shown(event.auth_provider_snapshot),
    key: keyName(event.api_key_hash, keyNames),
  };
}

export function keyName(hash: string, keyNames: ReadonlyMap<string, string>): string {
  if (hash === '') return '';
  return keyNames.get(hash) ?? hashPrefix(hash);
}

export type Failed = Partial<Pick<EventRow, 'fail_status_code' | 'fail_summary'>>;

/** Canceled by the client, which says nothing about the account. */
export const isCancelled = ({ fail_status_code, fail_summary = '' }: Failed): boolean =>
  fail_status_code === 499 || /client (cancel|clos)|context cancel/i.test(fail_summary);

/** The provider broke its answer off after a good status, so that the status alone would look like a success. */
export const isBrokenOff = ({ fail_status_code = 0 }: Failed): boolean =>
  fail_status_code >= 200 && fail_status_code < 300;

/** The status of a failure as it may be shown alone; '' = it tells nothing. */
export const failureStatus = (failure: Failed): string =>
  isBrokenOff(failure) ? '' : String(failure.fail_status_code || '');

/** A failure in a word, where no cause is beside it. */
export const failureWord = (failure: Failed, t: Translate): string =>
  isBrokenOff(failure)
    ? t(isCancelled(failure) ? 'cause.cancelled' : 'cause.brokenOff')
    : failureStatus(failure) || t('filter.failed');

/** In full: compare and filter with it, and show `shown` of it. */
export const requestedModel = (event: EventRow): string => event.requested_model || event.model;

/** The model that answered, when it differs from the requested one. */
export function resolvedModel(event: EventRow): string {
  const resolved = event.resolved_model ?? '';
  return resolved !== '' && resolved !== requestedModel(event) ? resolved : '';
}

/** Time to the first token; a gateway that failed earlier reports 0. */
export const firstTokenMs = (event: EventRow): number | null =>
  event.failed && event.ttft_ms === 0 ? null : event.ttft_ms;

/** Tokens from a cache, whatever the provider calls them. */
export const cachedTokens = (event: EventRow): number => event.cache_read_tokens + event.cached_tokens;

/** The event as JSON, masked like the screen. */
export function eventJson(event: EventRow, masker: Masker): string {
  return JSON.stringify(masker.on ? maskEvent(event, masker) : event, null, 2);
}
