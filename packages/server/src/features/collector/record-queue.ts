import type { IngestRecord } from '../../events/ingest/ingest-record.ts';

/** A record on its way to the writer. */
export interface PendingRecord {
  readonly text: string;
  readonly repaired: boolean;
  readonly bytes: number;
  readonly receivedAtMs: number;
  /** The gateway sent it at this time or later. */
  readonly handedOverSinceMs: number;
}

/** What the writer gets. */
export function ingestRecordOf({ text, receivedAtMs, repaired }: PendingRecord): IngestRecord {
  return repaired ? { text, receivedAtMs, repaired } : { text, receivedAtMs };
}

/** Records of the spool file, which count as received when they are read again. */
export function fromSpool(texts: readonly string[], nowMs: number): PendingRecord[] {
  return texts.map((text) => ({
    text,
    repaired: false,
    bytes: text.length,
    receivedAtMs: nowMs,
    handedOverSinceMs: nowMs,
  }));
}

/** FIFO queue that counts bytes. */
export interface RecordQueue {
  push(record: PendingRecord): void;
  /** Takes from the front: at most this many records and, after the first, this many bytes. */
  take(maxRecords: number, maxBytes: number): PendingRecord[];
  front(): PendingRecord | null;
  size(): number;
  bytes(): number;
  /** Smallest `handedOverSinceMs`, null when empty. */
  oldest(): number | null;
}

export function createRecordQueue(): RecordQueue {
  let items: PendingRecord[] = [];
  let head = 0;
  let bytes = 0;
  return {
    push(record) {
      items.push(record);
      bytes += record.bytes;
    },
    take(maxRecords, maxBytes) {
      let end = head;
      let taken = 0;
      for (; end < items.length && end - head < maxRecords; end += 1) {
        const size = items[end]?.bytes ?? 0;
        if (end > head && taken + size > maxBytes) break;
        taken += size;
      }
      const batch = items.slice(head, end);
      head = end;
      bytes -= taken;
      // Moving the rest for every batch would be quadratic; keeping taken texts would be a leak.
      if (head === items.length || head >= 4096) {
        items = items.slice(head);
        head = 0;
      }
      return batch;
    },
    front: () => items[head] ?? null,
    size: () => items.length - head,
    bytes: () => bytes,
    oldest() {
      let oldest: number | null = null;
      for (let at = head; at < items.length; at += 1) {
        const since = items[at]?.handedOverSinceMs;
        if (since !== undefined && (oldest === null || since < oldest)) oldest = since;
      }
      return oldest;
    },
  };
}
