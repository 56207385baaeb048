import { ADMIN_ROW, readAdminCredential } from '../../features/setup/connection-store.ts';
import {
  chosenKeyProblem,
  createAdminCredential,
  generateAdminKey,
  parseAdminCredential,
  shortKeyWarning,
} from '../../platform/secrets/admin-key.ts';
import { stopPoint } from '../../platform/stop-point.ts';
import { writeSettings } from '../../sqlite/settings.ts';
import { type Command, type CommandContext, CommandError } from './command.ts';
import type { ParsedFlags } from './flags.ts';
import { readKeyFile, requireKey } from './key-file.ts';
import { DB_PATH_FLAG, withOfflineDatabase } from './offline-database.ts';

export const resetAdminKey: Command = {
  name: 'reset-admin-key',
  about: [
    'Replaces the admin key. Stop the manager and back up the data directory first.',
    'Without a key, a new one is generated and printed once.',
  ],
  flags: [
    DB_PATH_FLAG,
    { name: 'admin-key-file', value: 'P', help: 'file that holds the new key (preferred)' },
    { name: 'admin-key', value: 'V', help: 'the new key; other users of this machine can see it in the process list' },
  ],
  async run(context, flags) {
    const given = givenKey(context, flags);
    const problem = given === null ? null : chosenKeyProblem(given);
    if (problem !== null) throw new CommandError(problem);
    const key = given ?? generateAdminKey(context.randomBytes);
    await withOfflineDatabase(context, flags, (db) => {
      const nowMs = context.now();
      const stored = readAdminCredential(db);
      const account = createAdminCredential({
        key,
        source: given === null ? 'cli-generated' : 'cli',
        nowMs,
        randomBytes: context.randomBytes,
        previous: stored === null ? null : parseAdminCredential(stored),
      });
      const value = JSON.stringify({ ...account, rotatedAtMs: nowMs });
      writeSettings(db, [{ key: ADMIN_ROW, value, updatedAtMs: nowMs }]);
      stopPoint('admin_key_committed');
    });
    context.stdout('The admin key was replaced. It takes effect at the next start of the manager.');
    if (given !== null) {
      const warning = shortKeyWarning(given);
      if (warning !== null) context.stderr(`reset-admin-key: ${warning}`);
      return;
    }
    context.stdout(`New admin key: ${key}`);
    context.stdout('It is not shown again; keep it.');
  },
};

/** null = generate one. */
function givenKey(context: CommandContext, flags: ParsedFlags): string | null {
  const value = flags.text('admin-key');
  const file = flags.text('admin-key-file');
  if (value !== undefined && file !== undefined) {
    throw new CommandError('--admin-key and --admin-key-file exclude each other');
  }
  if (value !== undefined) return requireKey(value, '--admin-key is empty');
  return file === undefined ? null : readKeyFile(context, file, '--admin-key-file');
}
