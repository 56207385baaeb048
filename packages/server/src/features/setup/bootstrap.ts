import type { Database } from 'bun:sqlite';
import type { BootstrapStatus } from '@manager/core/contract/system/info';
import type { ManagerConfig } from '../../platform/config/config.ts';
import { ConfigError } from '../../platform/config/config-error.ts';
import {
  chosenKeyProblem,
  createAdminCredential,
  generateAdminKey,
  parseAdminCredential,
  type RandomBytes,
  shortKeyWarning,
  verifyAdminCredential,
} from '../../platform/secrets/admin-key.ts';
import type { SecretVault } from '../../platform/secrets/vault.ts';
import { openedBy, sealedTexts } from '../../schema/sealed-texts.ts';
import { writeSettings } from '../../sqlite/settings.ts';
import { resolveAuthority } from './authority.ts';
import { type BootstrapState, CONNECTION_STORAGE_VERSION, parseBootstrapState } from './bootstrap-state.ts';
import {
  type ConnectionRecords,
  changeRecords,
  isLost,
  lostKeys,
  parseRecords,
  recordChanges,
  usableConnection,
} from './connection-records.ts';
import {
  ADMIN_ROW,
  BOOTSTRAP_ROW,
  hasHistoricalData,
  readAdminCredential,
  readBootstrapRow,
  readConnectionRows,
  writeOverPlaintext,
} from './connection-store.ts';

export interface BootstrapOptions {
  readonly db: Database;
  readonly vault: SecretVault;
  readonly config: Pick<ManagerConfig, 'adminKey' | 'environmentConnection'>;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
}

export interface BootstrapResult {
  readonly records: ConnectionRecords;
  readonly state: BootstrapState;
  /** Only set at the start that generated it; shown once and never again. */
  readonly generatedAdminKey: string | null;
  readonly dataKeyCreated: boolean;
  /** Secrets beside the connection cannot be decrypted; entering the management key again does not bring them back. */
  readonly othersLost: boolean;
  /** For the operator, without secrets. */
  readonly warnings: readonly string[];
}

/** The two stored connection records contradict each other; only the operator knows which one is right. */
export class ConnectionConflict extends Error {
  override readonly name = 'ConnectionConflict';
  constructor() {
    super(
      'the two stored records of the gateway connection contradict each other; stop the manager and run ' +
        'manager-server store-upstream-connection --upstream-base-url URL --management-key-file FILE --repair-conflict',
    );
  }
}

/**
 * Migrates keys and connection records. The admin key is written last: a start that fails earlier must not leave a key that was
 * never shown.
 *
 * @throws ConfigError for a configured admin key that would be stored and is too short or cannot be sent
 */
export function bootstrap(options: BootstrapOptions): BootstrapResult {
  const { db, vault, config, now } = options;
  refuseUnusableKey(options);
  const previous = parseBootstrapState(readBootstrapRow(db));
  const hasHistory = hasHistoricalData(db);
  const rows = readConnectionRows(db);
  const sealed = sealedTexts(db);
  // A missing key is not replaced while anything is encrypted: restoring the file recovers it.
  const dataKeyCreated = !vault.hasKey() && sealed.length === 0 && vault.ensureKey();
  const loaded = parseRecords(rows, vault);
  const lost = isLost(loaded);
  const ofConnection = lostKeys(loaded);
  const othersLost =
    openedBy(
      vault,
      sealed.filter((text) => !ofConnection.includes(text)),
    ) !== 'all';
  // Without a key nothing can be encrypted, and a new one would hide that the old one is missing.
  const mayMigrate = !lost && vault.hasKey();
  const records = mayMigrate && needsMigration(previous, loaded) ? migrateRecords(options, loaded) : loaded;

  const projectInitialized = config.environmentConnection !== null || usableConnection(records).connection !== null;
  const version = mayMigrate ? CONNECTION_STORAGE_VERSION : previous?.connectionStorageMigrationVersion;
  const state: BootstrapState = {
    version: 1,
    status: statusOf(projectInitialized, hasHistory),
    adminReady: true,
    projectInitialized,
    dataKeyReady: !lost && !othersLost,
    migratedLegacy: true,
    hasHistoricalData: hasHistory,
    ...(version === undefined ? {} : { connectionStorageMigrationVersion: version }),
    updatedAtMs: now(),
  };
  if (previous === null || !sameState(previous, state)) {
    writeSettings(db, [{ key: BOOTSTRAP_ROW, value: JSON.stringify(state), updatedAtMs: state.updatedAtMs }]);
  }
  const admin = ensureAdminCredential(options);
  return {
    records,
    state,
    generatedAdminKey: admin.generated,
    dataKeyCreated,
    othersLost,
    warnings: [
      ...(lost ? [lostText(loaded, vault)] : []),
      ...(othersLost ? [othersLostText(vault)] : []),
      ...admin.warnings,
    ],
  };
}

function needsMigration(previous: BootstrapState | null, { manager, legacy }: ConnectionRecords): boolean {
  const version = previous?.migratedLegacy ? (previous.connectionStorageMigrationVersion ?? 0) : 0;
  return version < CONNECTION_STORAGE_VERSION || manager.plaintext || legacy.plaintext;
}

/** Writes both rows normalized and encrypted, in one transaction. */
function migrateRecords({ db, vault, now }: BootstrapOptions, loaded: ConnectionRecords): ConnectionRecords {
  const nowMs = now();
  const authority = resolveAuthority(loaded.manager.pair, loaded.legacy.pair);
  if (authority.kind === 'conflict') {
    // Unchanged but encrypted: no plaintext may stay when the start is then refused.
    writeOverPlaintext(db, recordChanges(loaded, vault, nowMs));
    throw new ConnectionConflict();
  }
  const records =
    authority.kind === 'none' ? loaded : changeRecords(loaded, { connection: authority.connection }, nowMs);
  writeOverPlaintext(db, recordChanges(records, vault, nowMs));
  return parseRecords(readConnectionRows(db), vault);
}

function statusOf(initialised: boolean, hasHistory: boolean): BootstrapStatus {
  if (initialised) return hasHistory ? 'migrated' : 'ready';
  return hasHistory ? 'needs_setup' : 'fresh';
}

function sameState(a: BootstrapState, b: BootstrapState): boolean {
  return JSON.stringify({ ...a, updatedAtMs: 0 }) === JSON.stringify({ ...b, updatedAtMs: 0 });
}

function lostText({ manager, legacy }: ConnectionRecords, vault: SecretVault): string {
  if (manager.unreadable || legacy.unreadable) {
    return 'a stored connection record cannot be read; enter the gateway URL and management key again in the panel';
  }
  return (
    `the stored management key cannot be decrypted with the data key ${vault.keyPath}; restore that file from a backup ` +
    'and restart, or enter the management key again in the panel'
  );
}

function othersLostText({ keyPath }: SecretVault): string {
  return (
    `secrets of notifications or versions of the gateway's configuration cannot be decrypted with the data key ${keyPath}; restore that ` +
    'file from a backup and restart, or enter the secrets again and delete the history of the configuration in the panel'
  );
}

function ensureAdminCredential({ db, config, now, randomBytes }: BootstrapOptions): {
  readonly generated: string | null;
  readonly warnings: readonly string[];
} {
  const stored = readAdminCredential(db);
  if (stored !== null) return { generated: null, warnings: configuredKeyWarnings(stored, config.adminKey) };
  const generated = config.adminKey === '' ? generateAdminKey(randomBytes) : null;
  const nowMs = now();
  const account = createAdminCredential({
    key: generated ?? config.adminKey,
    source: generated === null ? 'env' : 'generated',
    nowMs,
    randomBytes,
  });
  writeSettings(db, [{ key: ADMIN_ROW, value: JSON.stringify(account), updatedAtMs: nowMs }]);
  return { generated, warnings: generated === null ? shortKeyWarnings(config.adminKey) : [] };
}

/** Before anything is written. */
function refuseUnusableKey({ db, config }: BootstrapOptions): void {
  if (config.adminKey === '' || readAdminCredential(db) !== null) return;
  const problem = chosenKeyProblem(config.adminKey);
  if (problem !== null) throw new ConfigError(`MANAGER_ADMIN_KEY or its file: ${problem}`);
}

function shortKeyWarnings(key: string): readonly string[] {
  const warning = shortKeyWarning(key);
  return warning === null ? [] : [warning];
}

/** A configured key is only used for an empty store; an operator who changes the variable later must be told. */
function configuredKeyWarnings(stored: string, configuredKey: string): readonly string[] {
  const account = parseAdminCredential(stored);
  if (account === null) {
    return ['the stored admin key cannot be read; stop the manager and run manager-server reset-admin-key'];
  }
  if (configuredKey === '') return [];
  if (verifyAdminCredential(account, configuredKey)) return shortKeyWarnings(configuredKey);
  return [
    'the configured admin key differs from the stored one and is not used; to change the key, stop the manager and run ' +
      'manager-server reset-admin-key --admin-key-file FILE',
  ];
}
