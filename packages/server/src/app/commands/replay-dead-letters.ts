import { replayDeadLetters } from '../../events/ingest/replay.ts';
import type { Command } from './command.ts';
import { DB_PATH_FLAG, withMigratedDatabase } from './offline-database.ts';

export const replayDeadLettersCommand: Command = {
  name: 'replay-dead-letters',
  about: [
    'Reads dead letters (events that could not be read) again, for example after an upgrade.',
    'Events that can be read now are stored and removed from the list; the others stay. Stop the manager first.',
  ],
  flags: [DB_PATH_FLAG],
  async run(context, flags) {
    const hourlyRollup = context.config().hourlyRollupEnabled;
    const counts = await withMigratedDatabase(context, flags, (db) => replayDeadLetters(db, { hourlyRollup }));
    context.stdout(`added=${counts.added} skipped=${counts.skipped} kept=${counts.kept}`);
  },
};
