import { cutText } from '../redaction/redact.ts';
import type { UsageEvent } from './event.ts';
import { type MembersOfKind, membersOf } from './event-members.ts';

/** Bytes of one name, without the dots that mark a cut. */
const NAME_BYTES = 1024;
/** A UTF-16 unit needs at most three bytes, so most names need no measuring. */
const SURE_LENGTH = Math.floor(NAME_BYTES / 3);

/** Texts with a limit of their own, and the identity. */
const NO_NAMES: ReadonlySet<MembersOfKind<'text'>> = new Set([
  'event_hash',
  'fail_body',
  'fail_summary',
  'raw_json',
  'response_metadata_json',
  'x_forwarded_for',
] as const);
const NAMES = membersOf('text').filter((name) => !NO_NAMES.has(name));

/**
 * Cuts the names of an event: every different one stays in memory as long as there are events, so a gateway that makes them up could fill
 * it. The identity stays that of the whole names, which are in the original item.
 */
export function cutNames(event: UsageEvent): { readonly event: UsageEvent; readonly cut: boolean } {
  let cuts: Partial<Record<MembersOfKind<'text'>, string>> | null = null;
  for (const name of NAMES) {
    const text = event[name];
    if (text.length <= SURE_LENGTH) continue;
    const shown = cutText(text, NAME_BYTES);
    if (shown === text) continue;
    cuts ??= {};
    cuts[name] = shown;
  }
  return cuts === null ? { event, cut: false } : { event: { ...event, ...cuts }, cut: true };
}
