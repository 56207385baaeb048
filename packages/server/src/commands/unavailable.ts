import { type Command, CommandError } from './command.ts';
import { DB_PATH_FLAG } from './offline-database.ts';

export const cleanupDerived = unavailable('cleanup-derived', 'Finishes pending work on derived data.');
export const importDatabase = unavailable('import-database', 'Imports history from the database of another manager.', [
  { name: 'from', value: 'P', help: 'database of the other manager', required: true },
  { name: 'prices', value: null, help: 'import its prices as well' },
  { name: 'aliases', value: null, help: 'import its key names as well' },
]);

/** A command whose name is settled and whose work is not part of this version. */
function unavailable(name: string, about: string, flags: Command['flags'] = []): Command {
  return {
    name,
    about: [about, 'Not part of this version.'],
    flags: [...flags, DB_PATH_FLAG],
    run() {
      throw new CommandError('this version does not have this command yet; nothing was changed');
    },
  };
}
