import { windowClass } from '../../contract/quotas/window.ts';
import { objectsWithin } from '../../json/embedded-json.ts';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { trimText } from '../../json/text.ts';
import type { UsageEvent } from '../../usage/event.ts';
import type { ResponseMetadata } from '../../usage/metadata-schema.ts';
import { jsonValues } from '../stored-texts.ts';
import { isFull, reachedType, resetByHeaders, windowsOf } from './header-reset.ts';
import { absoluteResetMs, relativeResetMs } from './reset-values.ts';

const MARK = 'usage_limit_reached';

type LimitEvent = Pick<
  UsageEvent,
  'timestamp_ms' | 'fail_body' | 'fail_summary' | 'raw_json' | 'header_error_kind' | 'header_error_code'
>;

function markedByHeaders(event: LimitEvent, { quota = {}, errors = {} }: ResponseMetadata): boolean {
  if (reachedType(quota) !== '' || windowsOf(quota).some(isFull)) return true;
  const words = [event.header_error_kind, event.header_error_code, errors.kind, errors.code];
  return words.some((word) => (word ?? '').toLowerCase().replaceAll('-', '_').includes(MARK));
}

function windowKindByHeaders({ quota = {} }: ResponseMetadata): string {
  const reached = trimText(quota.reached_window_kind ?? '');
  if (reached !== '') return reached;
  // Metadata of an imported record may lack derived members.
  const minutes = windowsOf(quota).find(({ name }) => name === reachedType(quota))?.window_minutes;
  return windowClass(minutes === undefined ? null : minutes * 60)?.replace('-', '_') ?? 'unknown';
}

function isMarked(object: JsonObject): boolean {
  return typeof object.type === 'string' && trimText(object.type).toLowerCase() === MARK;
}

function statedReset(object: JsonObject, eventMs: number): number | null {
  return (
    absoluteResetMs(object.resets_at) ??
    absoluteResetMs(object.resetsAt) ??
    relativeResetMs(object.resets_in_seconds, eventMs) ??
    relativeResetMs(object.resetsInSeconds, eventMs)
  );
}

/** The reset in the marked object of an error, else in the object around it. */
function resetByValue(value: unknown, eventMs: number): number | null {
  for (const object of objectsWithin(value)) {
    const inner = Object.values(object).filter(isJsonObject).filter(isMarked);
    for (const marked of isMarked(object) ? [object, ...inner] : inner) {
      const resetMs = statedReset(marked, eventMs) ?? statedReset(object, eventMs);
      if (resetMs !== null) return resetMs;
    }
  }
  return null;
}

function resetByTexts(event: LimitEvent): number | null {
  for (const text of [event.fail_body, event.raw_json, event.fail_summary]) {
    if (!/usage_limit_reached/i.test(text)) continue;
    for (const value of jsonValues(text)) {
      const resetMs = resetByValue(value, event.timestamp_ms);
      if (resetMs !== null) return resetMs;
    }
  }
  return null;
}

/**
 * When the usage limit that this failure reports ends, and which window it is. `null` when the failure is no usage
 * limit or states no time in the future.
 */
export function usageLimitEnd(
  event: LimitEvent,
  metadata: ResponseMetadata,
  nowMs: number,
): { readonly windowKind: string; readonly recoverAtMs: number } | null {
  const windowKind = windowKindByHeaders(metadata);
  const byHeaders = markedByHeaders(event, metadata) ? resetByHeaders(metadata) : null;
  if (byHeaders !== null && byHeaders > nowMs) return { windowKind, recoverAtMs: byHeaders };
  const byTexts = resetByTexts(event);
  return byTexts !== null && byTexts > nowMs ? { windowKind, recoverAtMs: byTexts } : null;
}
