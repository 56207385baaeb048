import { usageDetail } from '@manager/core/usage/usage-payload';
import { eventDecoder } from '../../../../events/detail/event-decoder.ts';
import type { ReaderContext } from '../../../../sqlite/contexts.ts';
import { Transfer } from '../../../../sqlite/worker/transfer.ts';

/** Reads by the primary key. */
export const USAGE_DETAILS_SQL = `
SELECT id, detail
FROM usage_events
WHERE id IN (SELECT value FROM json_each(?))`;

interface Row {
  readonly id: number;
  readonly detail: Uint8Array;
}

const encoder = new TextEncoder();

/** JSON objects of the given events in the given order, joined by commas. A missing event fails the whole answer. */
export function usageDetails(
  { db }: ReaderContext,
  args: { readonly ids: Float64Array<ArrayBuffer> },
): Transfer<Uint8Array<ArrayBuffer>> {
  const decode = eventDecoder(db);
  const rows = db.query<Row, [string]>(USAGE_DETAILS_SQL).all(JSON.stringify(Array.from(args.ids)));
  const byId = new Map(rows.map((row) => [row.id, row.detail]));
  const parts: string[] = [];
  for (const id of args.ids) {
    const detail = byId.get(id);
    if (detail === undefined) throw new Error('an event of this response was deleted');
    parts.push(JSON.stringify(usageDetail(decode(detail, { raw: false })).detail));
  }
  const bytes = encoder.encode(parts.join(','));
  return new Transfer(bytes, [bytes.buffer]);
}
