import { isJsonObject, parseDeepJson } from '../json/json.ts';
import { trimText } from '../json/text.ts';
import { withoutLoneSurrogates } from '../json/well-formed.ts';
import type { RecordContext } from './context.ts';
import { type ControlMessage, controlOf } from './control.ts';
import type { UsageEvent } from './event.ts';
import { readRawItem } from './raw-item.ts';
import { reportsUnusableTokens } from './tokens.ts';

export type { RecordContext } from './context.ts';

export type RecordOutcome =
  /**
   * `repaired`: a lone surrogate was replaced by U+FFFD, values nested too deeply were dropped, or a token count is unusable.
   * `hashComputed`: the record has no hash of its own.
   */
  | {
      readonly kind: 'event';
      readonly event: UsageEvent;
      readonly repaired: boolean;
      readonly hashComputed: boolean;
    }
  | { readonly kind: 'control'; readonly control: ControlMessage }
  | { readonly kind: 'blank' }
  /** `error` names the reason and repeats no value of the record. */
  | { readonly kind: 'dead_letter'; readonly error: string };

const BYTE_ORDER_MARK = '\ufeff';

/**
 * Reads one queue item as received. Never throws: a text that is no JSON object becomes a dead letter.
 *
 * @example readRecord('{"refresh":true}', context) // { kind: 'control', control: 'refresh' }
 */
export function readRecord(text: string, context: RecordContext): RecordOutcome {
  const control = controlOf(text);
  if (control !== null) return { kind: 'control', control };
  const { text: json, repaired } = withoutLoneSurrogates(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  const item = parseDeepJson(json);
  if (isJsonObject(item)) {
    const { event, truncated, hashComputed } = readRawItem(item, context);
    return { kind: 'event', event, repaired: repaired || truncated || reportsUnusableTokens(item), hashComputed };
  }
  if (item !== undefined) return { kind: 'dead_letter', error: 'not a JSON object' };
  return trimText(json) === '' ? { kind: 'blank' } : { kind: 'dead_letter', error: 'not valid JSON' };
}
