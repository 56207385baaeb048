import { createFactReader } from '../../facts/reader.ts';
import { readNewestFact } from '../../facts/sealed-until.ts';
import type { WriterContext } from '../../sqlite/contexts.ts';
import { dataMigrationRunning } from '../background/state.ts';
import { addChunk } from './chunk-sums.ts';
import { readCounter, setCounter } from './counters.ts';
import { HourlySums } from './hourly-rollup.ts';

/** The columns of one segment at a time. */
const CACHE_BYTES = 4 * 1024 * 1024;

/**
 * One step of updating the hourly rollup after it was disabled: the facts of one segment, or of the tail. Returns
 * whether facts are still missing. Afterwards every insert adds to it again.
 *
 * While a data migration corrects facts nothing is added: it is called again after that.
 */
export function catchUpHourlyRollup({ db }: WriterContext, _args: null): { readonly behind: boolean } {
  if (dataMigrationRunning(db)) return { behind: false };
  const covered = readCounter(db, 'hourly_core_event_id');
  // Runs at every start; reading the list of all facts would delay the first events.
  if (covered >= readNewestFact(db)) return { behind: false };
  return createFactReader(db, { cacheBytes: CACHE_BYTES }).read(({ chunks }) => {
    const missing = chunks.filter((chunk) => chunk.lastEventId > covered);
    const [next] = missing;
    if (next === undefined) return { behind: false };
    const sums = new HourlySums();
    addChunk(sums, next, covered);
    sums.writeTo(db);
    setCounter(db, 'hourly_core_event_id', next.lastEventId);
    return { behind: missing.length > 1 };
  });
}
