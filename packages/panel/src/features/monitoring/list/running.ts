import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { eventTone } from '../../../ui/requests/event-tone.ts';

/** Outcomes of the same source and model, up to and including this request, among the loaded rows. */
export interface Running {
  /** Up to five outcomes, oldest first; true = failed, unless canceled by the client. */
  readonly recent: readonly boolean[];
  readonly calls: number;
  readonly failed: number;
}

const RECENT = 5;

const identity = (row: EventRow): string => {
  const source = row.account_snapshot || row.auth_label_snapshot || row.source_hash || row.auth_index;
  return `${source}\u0000${row.auth_provider_snapshot}\u0000${row.model}`;
};

/** Of every row, by hash; `rows` are newest first. */
export function runningOf(rows: readonly EventRow[]): ReadonlyMap<string, Running> {
  const last = new Map<string, Running>();
  const result = new Map<string, Running>();
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const row = rows[index];
    if (row === undefined) continue;
    const key = identity(row);
    const before = last.get(key);
    const running: Running = {
      recent: [...(before?.recent ?? []), eventTone(row) === 'bad'].slice(-RECENT),
      calls: (before?.calls ?? 0) + 1,
      failed: (before?.failed ?? 0) + (row.failed ? 1 : 0),
    };
    last.set(key, running);
    result.set(row.event_hash, running);
  }
  return result;
}
