/** The server's own values: an emptied number is not set. */
export const DEFAULT_COLLECTOR = { pollIntervalMs: 500, batchSize: 100, queryLimit: 50_000 } as const;
