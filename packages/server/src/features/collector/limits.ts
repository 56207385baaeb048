import { HEAVY_BATCH_BYTES } from '../../events/ingest/import-events.ts';

/** What such records leave behind is collected, and that of spooled ones; the runtime manages the rest. */
export const LARGE_RECORD_BYTES = 1024 * 1024;
export const SPOOLED_COPIES = 2;
/** Huge records: with so much in memory pushed ones go to the spool file, and nothing more is popped. */
export const ROOM_BYTES = 16 * 1024 * 1024;
/** So much on its way into the spool file lets the socket wait, until half of it is written. */
export const SPOOLING_BYTES = 16 * 1024 * 1024;
/**
 * Pushed records stay in memory up to this only while neither the database nor the spool file can be written: then the subscription
 * ends. Its rest is still read, within reason.
 */
export const MEMORY_RECORDS = 50_000;
export const MEMORY_BYTES = 64 * 1024 * 1024;
export const REST_BYTES = 32 * 1024 * 1024;
/** What is replayed from the spool file is safe, so larger transactions catch up faster. A batch exists in several copies for a while. */
export const MAX_BATCH_RECORDS = 500;
export const MAX_BATCH_BYTES = HEAVY_BATCH_BYTES;
