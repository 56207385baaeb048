/** A record of the gateway's queue on its way into the database. */
export interface IngestRecord {
  readonly text: string;
  readonly receivedAtMs: number;
  /** A part was already replaced on the way in. */
  readonly repaired?: boolean;
}
