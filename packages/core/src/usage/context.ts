/** What a reader needs from outside. */
export interface RecordContext {
  /** Arrival time in ms; stands in for a missing event time. */
  readonly nowMs: number;
  /** Lower-case SHA-256 hex of the UTF-8 bytes. */
  readonly sha256Hex: (text: string) => string;
}
