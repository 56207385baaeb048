import { parseJson } from '../json/json.ts';
import { maskSource } from '../redaction/redact.ts';
import type { UsageEvent } from './event.ts';
import { hasClearKeySource, withoutKey } from './key-source.ts';
import { redactedJsonText } from './raw-json.ts';
import { recount } from './reaccount.ts';

/**
 * An event that was stored or archived by an earlier version, by the rules of today: counts, and no key in clear as its
 * source. The same object when nothing changes. Identity and hashes stay.
 */
export function correctStoredEvent(event: UsageEvent): UsageEvent {
  const counted = recount(event);
  if (!hasClearKeySource(counted)) return counted;
  const source = maskSource(counted.source, true);
  return {
    ...counted,
    source,
    fail_summary: withoutKey(counted.fail_summary, counted.source),
    fail_body: withoutKey(counted.fail_body, counted.source),
    raw_json: withoutKeyMembers(counted.raw_json, counted.source, source),
  };
}

function withoutKeyMembers(rawJson: string, key: string, masked: string): string {
  if (rawJson === '') return '';
  // An original that was cut is no JSON, but its members are still recognizable.
  if (parseJson(rawJson) === undefined) return rawJson.replaceAll(JSON.stringify(key), JSON.stringify(masked));
  return redactedJsonText(rawJson, key);
}
