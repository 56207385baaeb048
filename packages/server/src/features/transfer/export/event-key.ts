/** Position of an event in the order by time and arrival. */
export interface EventKey {
  readonly timestampMs: number;
  readonly id: number;
}
