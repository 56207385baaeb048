import { trimText } from '../../json/text.ts';
import type { QuotaWindow, ResponseMetadata } from '../../usage/metadata-schema.ts';

type Quota = NonNullable<ResponseMetadata['quota']>;

interface NamedWindow extends QuotaWindow {
  readonly name: 'primary' | 'secondary';
}

export function windowsOf(quota: Quota): readonly NamedWindow[] {
  const { primary, secondary } = quota;
  return [
    ...(primary === undefined ? [] : [{ ...primary, name: 'primary' as const }]),
    ...(secondary === undefined ? [] : [{ ...secondary, name: 'secondary' as const }]),
  ];
}

export function isFull(window: QuotaWindow): boolean {
  return (window.used_percent ?? 0) >= 100;
}

export function reachedType(quota: Quota): string {
  return trimText(quota.rate_limit_reached_type ?? '').toLowerCase();
}

/**
 * The reset that the rate-limit headers state for the reached limit. A window that is neither named nor full does not
 * count; of two full ones the later reset counts, because one of them stays full until then.
 */
export function resetByHeaders({ quota = {}, errors = {} }: ResponseMetadata): number | null {
  const type = reachedType(quota);
  const windows = windowsOf(quota);
  const named = type === 'primary' || type === 'secondary';
  const counting = named ? windows.filter(({ name }) => name === type) : windows.filter(isFull);
  const resets = counting.flatMap(({ reset_at_ms }) => (reset_at_ms === undefined ? [] : [reset_at_ms]));
  if (resets.length > 0) return Math.max(...resets);
  const aggregated = !named && windows.length === 0 && trimText(quota.reached_window_kind ?? '') !== '';
  return (aggregated ? quota.recover_at_ms : undefined) ?? errors.retry_after_recover_at_ms ?? null;
}
