import { sanitizeFailureText } from '../redaction/redact.ts';
import { cutToArchiveLimit } from './archive-size.ts';
import type { UsageEvent } from './event.ts';
import { cutNames } from './name-limit.ts';
import { cleanClientIp, cleanForwardedFor, cleanUserAgent } from './request-metadata.ts';
import { effectiveServiceTier } from './tier.ts';

export interface PreparedEvent {
  readonly event: UsageEvent;
  /** True when a name was cut to 1 KiB, or long texts to keep the archive record within 10 MiB. */
  readonly cut: boolean;
}

/**
 * Last step before an event is written, after enrichment: the enriched provider may change the tier, caller data and
 * the public failure text are cleaned once more, and the record is cut to a size that can be kept and archived.
 *
 * Mode, buckets and total come from the reader, which knew the breakdown of the item; an enriched provider cannot
 * change them. Every reader has redacted `raw_json`. The request tier stays empty when none was sent.
 */
export function prepareForInsert(given: UsageEvent): PreparedEvent {
  const { event, cut } = cutNames(given);
  const failure = event.fail_summary || event.fail_body;
  const cleaned = {
    client_ip: cleanClientIp(event.client_ip),
    x_forwarded_for: cleanForwardedFor(event.x_forwarded_for),
    user_agent: cleanUserAgent(event.user_agent),
    service_tier: effectiveServiceTier(event, {
      request: event.request_service_tier,
      legacy: event.service_tier,
      response: event.response_service_tier,
    }),
    fail_summary: failure === '' ? '' : sanitizeFailureText(failure),
  };
  const unchanged =
    cleaned.client_ip === event.client_ip &&
    cleaned.x_forwarded_for === event.x_forwarded_for &&
    cleaned.user_agent === event.user_agent &&
    cleaned.service_tier === event.service_tier &&
    cleaned.fail_summary === event.fail_summary;
  const archivable = cutToArchiveLimit(unchanged ? event : { ...event, ...cleaned });
  return cut ? { event: archivable.event, cut } : archivable;
}
