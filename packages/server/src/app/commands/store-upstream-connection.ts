import type { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ERRORS } from '@manager/core/contract/errors';
import { agreesWith, type ConnectionPair, resolveAuthority, samePair } from '../../features/setup/authority.ts';
import {
  type ConnectionRecords,
  changeRecords,
  isLost,
  parseRecords,
  recordChanges,
  usableConnection,
} from '../../features/setup/connection-records.ts';
import { readAdminCredential, readConnectionRows, writeOverPlaintext } from '../../features/setup/connection-store.ts';
import { requireBaseUrl } from '../../platform/config/base-url.ts';
import { requireGatewayKey } from '../../platform/config/management-key.ts';
import { parseAdminCredential, verifyAdminCredential } from '../../platform/secrets/admin-key.ts';
import { holdsAdminKey } from '../../platform/secrets/admin-key-in-key.ts';
import { loadDataKey } from '../../platform/secrets/data-key.ts';
import { openVault, type SecretVault } from '../../platform/secrets/vault.ts';
import { openedBy, sealedTexts } from '../../schema/sealed-texts.ts';
import { type Command, type CommandContext, CommandError } from './command.ts';
import type { ParsedFlags } from './flags.ts';
import { readKeyFile } from './key-file.ts';
import { canonicalPath, DB_PATH_FLAG, databasePath, withCreatedDatabase } from './offline-database.ts';

export const storeGatewayConnection: Command = {
  name: 'store-upstream-connection',
  about: [
    'Stores URL and management key of the gateway in the database, the key encrypted. Stop the manager first.',
    'To change a different stored connection, use the panel, or --repair-conflict here.',
  ],
  flags: [
    { name: 'upstream-base-url', value: 'U', help: 'address of the gateway', required: true },
    { name: 'management-key-file', value: 'P', help: 'file that holds its management key', required: true },
    DB_PATH_FLAG,
    { name: 'data-key-path', value: 'P', help: 'data key; default: the configured one' },
    { name: 'repair-conflict', value: null, help: 'replace any stored connection by this one' },
  ],
  async run(context, flags) {
    const connection: ConnectionPair = {
      baseUrl: requireBaseUrl(flags.text('upstream-base-url') ?? ''),
      managementKey: readKeyFile(context, flags.text('management-key-file') ?? '', '--management-key-file'),
    };
    if (/[\r\n]/.test(connection.managementKey)) throw new CommandError('the management key must be a single line');
    requireGatewayKey(connection.managementKey);
    requireSameEnvironment(context, connection);
    const repair = flags.isOn('repair-conflict');
    const vault = openCommandVault(context, flags);
    const hadKey = vault.hasKey();
    const problem = otherDataKeyProblem(context, flags, vault);
    if (problem !== null && !existsSync(databasePath(context, flags))) throw new CommandError(problem);
    await withCreatedDatabase(context, flags, (db) => {
      // A key that fits the database is right: then this configuration is not the one of the manager.
      if (problem !== null && !isKeyOf(db, vault)) throw new CommandError(problem);
      store(context, db, vault, connection, repair);
      if (openedBy(vault, sealedTexts(db)) !== 'all') reportLostSecrets(context, vault);
    });
    context.stdout(`The connection to ${connection.baseUrl} is stored.`);
    if (!hadKey && vault.hasKey() && isKeyGiven(flags)) reportNewDataKey(context, flags, vault);
  },
};

function openCommandVault(context: CommandContext, flags: ParsedFlags): SecretVault {
  return openVault({
    explicitText: context.config().dataKeyText,
    path: isKeyGiven(flags) ? resolve(context.cwd, keyPath(flags)) : context.config().dataKeyPath,
    randomBytes: context.randomBytes,
    warn: context.stderr,
  });
}

function keyPath(flags: ParsedFlags): string {
  return (flags.text('data-key-path') ?? '').trim();
}

function isKeyGiven(flags: ParsedFlags): boolean {
  return keyPath(flags) !== '';
}

/** The manager would look for the data key of this database elsewhere. */
function usesOtherDataKey(context: CommandContext, flags: ParsedFlags, { keyPath }: SecretVault): boolean {
  const { dataKeyText, dataKeyPath, databasePath: configured } = context.config();
  if (dataKeyText !== '' || canonicalPath(keyPath) === canonicalPath(dataKeyPath)) return false;
  return canonicalPath(databasePath(context, flags)) === canonicalPath(configured);
}

/** Why nothing may be encrypted with this data key: the manager has another one and could not read it. */
function otherDataKeyProblem(context: CommandContext, flags: ParsedFlags, vault: SecretVault): string | null {
  if (!usesOtherDataKey(context, flags, vault)) return null;
  const { dataKeyPath } = context.config();
  const configured = loadDataKey('', dataKeyPath);
  if (configured === null || loadDataKey('', vault.keyPath)?.equals(configured)) return null;
  return (
    `the manager is configured for the data key ${dataKeyPath}, and ${vault.keyPath} is ${vault.hasKey() ? 'another one' : 'missing'}; ` +
    'leave out --data-key-path, or set MANAGER_DATA_KEY_PATH here as for the manager. Nothing was changed'
  );
}

function isKeyOf(db: Database, vault: SecretVault): boolean {
  const sealed = sealedTexts(db);
  return sealed.length > 0 && openedBy(vault, sealed) === 'all';
}

function reportLostSecrets(context: CommandContext, { keyPath }: SecretVault): void {
  context.stderr(
    `store-upstream-connection: other secrets, such as those of notifications, cannot be decrypted with the data key ${keyPath}; enter them ` +
      'again in the panel, or restore the file that they were encrypted with and repeat this command',
  );
}

function reportNewDataKey(context: CommandContext, flags: ParsedFlags, vault: SecretVault): void {
  const elsewhere = usesOtherDataKey(context, flags, vault)
    ? `, but the manager is configured for ${context.config().dataKeyPath}: set MANAGER_DATA_KEY_PATH`
    : '';
  context.stderr(`store-upstream-connection: a new data key was created at ${vault.keyPath}${elsewhere}`);
}

/** The environment wins over the database at every start, so a different stored connection would never be used. */
function requireSameEnvironment(context: CommandContext, connection: ConnectionPair): void {
  const config = context.config();
  if (config.environmentConnectionIncomplete) {
    throw new CommandError('the environment sets only one of gateway URL and management key; set both or neither');
  }
  if (config.environmentConnection !== null && !samePair(config.environmentConnection, connection)) {
    throw new CommandError('the environment sets another gateway connection; change or remove it there');
  }
}

function store(
  context: CommandContext,
  db: Database,
  vault: SecretVault,
  connection: ConnectionPair,
  repair: boolean,
): void {
  requireOtherThanAdminKey(db, connection.managementKey);
  const records = parseRecords(readConnectionRows(db), vault);
  if (!repair) refuse(context, db, vault, records, connection);
  if (isStored(records, connection)) return;
  const changes = recordChanges(changeRecords(records, { connection }, context.now()), vault, context.now());
  writeOverPlaintext(db, changes, () => {
    const written = parseRecords(readConnectionRows(db), vault);
    if (!isStored(written, connection)) {
      throw new CommandError('the stored connection reads back differently; nothing was changed');
    }
  });
}

function requireOtherThanAdminKey(db: Database, key: string): void {
  const credential = parseAdminCredential(readAdminCredential(db) ?? '');
  if (credential !== null && holdsAdminKey(key, (candidate) => verifyAdminCredential(credential, candidate)))
    throw new CommandError(ERRORS.management_key_is_admin_key.message);
}

/** Throws unless the connection only adds to the stored records. */
function refuse(
  context: CommandContext,
  db: Database,
  vault: SecretVault,
  records: ConnectionRecords,
  connection: ConnectionPair,
): void {
  if (isLost(records)) {
    throw new CommandError(
      `the stored connection cannot be decrypted with the data key ${vault.keyPath}; restore that file, or replace the ` +
        'connection with --repair-conflict. Nothing was changed',
    );
  }
  // After a lost key some secrets may still be of that one.
  if (openedBy(vault, sealedTexts(db)) === 'none') {
    throw new CommandError(
      `the secrets of this database, such as those of notifications, cannot be decrypted with the data key ${vault.keyPath}; restore that ` +
        'file, or go on without them with --repair-conflict. Nothing was changed',
    );
  }
  const authority = resolveAuthority(records.manager.pair, records.legacy.pair);
  const contradicts = [records.manager.pair, records.legacy.pair].some((pair) => !agreesWith(pair, connection));
  if (authority.kind === 'conflict' || (authority.kind === 'none' && contradicts)) {
    if (records.manager.plaintext || records.legacy.plaintext) {
      vault.ensureKey();
      writeOverPlaintext(db, recordChanges(records, vault, context.now()));
    }
    throw new CommandError(
      'the stored records contradict each other or this connection; replace them with --repair-conflict',
    );
  }
  if (authority.kind !== 'none' && !samePair(authority.connection, connection)) {
    throw new CommandError(
      'another connection is stored; change it in the panel, or replace it with --repair-conflict. Nothing was changed',
    );
  }
}

/** Both records hold the connection, encrypted. */
function isStored(records: ConnectionRecords, connection: ConnectionPair): boolean {
  const { manager, legacy } = records;
  return (
    usableConnection(records).connection !== null &&
    [manager, legacy].every((record) => !record.plaintext && samePair(record.pair, connection))
  );
}
