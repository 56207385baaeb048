import type { WatchedFiles } from '../platform/files/watched-files.ts';
import type { OperationClient, RunOptions } from '../sqlite/contexts.ts';
import { DATABASE_REPLACED } from '../sqlite/database-problem.ts';
import type { UpkeepLog } from '../sqlite/upkeep.ts';
import { OperationError } from '../sqlite/worker/errors.ts';
import type { Writes } from './operations/writes.ts';

export interface FileGuard {
  /** Looks at the files; called once a second. */
  tick(): void;
  /** Refuses to write to files that nobody will find again. */
  guard(run: OperationClient<Writes>['run']): OperationClient<Writes>['run'];
}

/** Looks in a row that must agree: a file system may need a moment after a change. */
const LOOKS = 2;

export function createFileGuard(files: WatchedFiles, log: UpkeepLog): FileGuard {
  let looks = 0;
  const isLost = () => looks >= LOOKS;

  return {
    tick() {
      const path = files.lost();
      const wasLost = isLost();
      looks = path === null ? 0 : looks + 1;
      if (isLost() && !wasLost) {
        log.error(
          `${path} was removed or replaced while the manager runs, so nothing is written any more; stop the manager, put the right files in ` +
            'place, and start it',
        );
      }
      if (wasLost && !isLost()) log.info('the files of the database are back');
    },
    guard(run) {
      async function guarded(name: keyof Writes & string, args: never, options?: RunOptions): Promise<unknown> {
        if (isLost()) throw new OperationError(DATABASE_REPLACED, 'the database file was removed or replaced');
        return run(name, args, options);
      }
      return guarded as OperationClient<Writes>['run'];
    },
  };
}
