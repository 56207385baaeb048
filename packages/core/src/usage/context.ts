/** Dependencies of a reader. */
export interface RecordContext {
  /** Arrival time in ms; used when an event has no time. */
  readonly nowMs: number;
  /** Lower-case SHA-256 hex of the UTF-8 bytes. */
  readonly sha256Hex: (text: string) => string;
}
