import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { gatewayUrlProblem, normaliseGatewayUrl } from '@manager/core/connection/gateway-url';
import { MAX_BATCH_SIZE, RETENTION_DAYS } from '@manager/core/contract/constants';
import { defaultMemoryMiB, LEAST_MEMORY_MIB } from '../memory/budget.ts';
import { secretsEqual } from '../secrets/compare.ts';
import { parseHostPort, parseProfilingAddress } from './address.ts';
import { withoutSecrets } from './base-url.ts';
import type { GatewayConnection, ManagerConfig, PolicySwitch } from './config.ts';
import { ConfigError } from './config-error.ts';
import { type ConfigFields, loadConfigFile } from './config-file.ts';
import { gatewayKeyProblem } from './management-key.ts';
import { resolveSecret } from './secret-file.ts';
import { extraAuthoritiesProblem, isOrigin, sharesAddress } from './setting-checks.ts';
import { type Environment, parseDecimal, SettingReader } from './values.ts';

const COLLECTOR_MODES = ['auto', 'subscribe', 'http', 'resp'] as const;
const POP_SIDES = ['left', 'right'] as const;
const MIN_DATA_KEY_LENGTH = 16;

export interface LoadRequest {
  readonly env: Environment;
  readonly cwd: string;
  /** Directory of the default `config.json`: of the executable, or the repository root when run from source. */
  readonly executableDir: string;
  /** Offline commands read the same configuration but never create a file. */
  readonly purpose: 'serve' | 'command';
}

/** Resolves every setting. Throws `ConfigError` when the start must be refused; lesser problems become warnings. */
export function loadConfig(request: LoadRequest): ManagerConfig {
  const reader = new SettingReader(request.env);
  const file = loadConfigFile({
    explicitPath: reader.env('MANAGER_CONFIG'),
    cwd: request.cwd,
    executableDir: request.executableDir,
    locatedByEnvironment: reader.isSet('USAGE_DATA_DIR') || reader.isSet('USAGE_DB_PATH'),
    mayCreate: request.purpose === 'serve',
  });
  const context: Context = { reader, fields: file.fields, configDir: file.directory, cwd: request.cwd };
  const { fields } = file;
  const adminKey = secret(context, 'MANAGER_ADMIN_KEY', 'adminKeyFile', '/run/secrets/admin_key');
  const environment = environmentConnection(context);
  if (adminKey !== '' && secretsEqual(adminKey, environment.environmentConnection?.managementKey ?? '')) {
    reader.warn('the admin key is also the management key of the gateway; use two different keys');
  }
  const authorities = reader.env('NODE_EXTRA_CA_CERTS');
  if (authorities !== '' && request.purpose === 'serve') warnOfAuthorities(reader, authorities, request.cwd);
  return {
    ...addresses(context),
    ...locations(context),
    dataKeyText: dataKeyText(context),
    adminKey,
    ...environment,
    collector: {
      collectorMode: reader.choice('USAGE_COLLECTOR_MODE', fields.collectorMode, COLLECTOR_MODES, 'auto'),
      queue: reader.text('USAGE_RESP_QUEUE', fields.queue, 'usage'),
      popSide: reader.choice('USAGE_RESP_POP_SIDE', fields.popSide, POP_SIDES, 'right'),
      batchSize: reader.positiveInteger('USAGE_BATCH_SIZE', fields.batchSize, 100, MAX_BATCH_SIZE),
      pollIntervalMs: reader.positiveInteger('USAGE_POLL_INTERVAL_MS', fields.pollIntervalMs, 500),
      queryLimit: reader.positiveInteger('USAGE_QUERY_LIMIT', fields.queryLimit, 50_000),
      tlsSkipVerify: reader.flag('USAGE_RESP_TLS_SKIP_VERIFY', fields.tlsSkipVerify, false),
    },
    imports: {
      chunkBytes: reader.positiveInteger('USAGE_IMPORT_CHUNK_BYTES', fields.usageImportChunkBytes, 4 * 2 ** 20),
      diskQuotaBytes: reader.positiveInteger(
        'USAGE_IMPORT_DISK_QUOTA_BYTES',
        fields.usageImportDiskQuotaBytes,
        16 * 2 ** 30,
      ),
      maxSessions: reader.positiveInteger('USAGE_IMPORT_MAX_SESSIONS', fields.usageImportMaxSessions, 2),
      sessionTtlMinutes: reader.positiveInteger(
        'USAGE_IMPORT_SESSION_TTL_MINUTES',
        fields.usageImportSessionTTLMinutes,
        1440,
      ),
    },
    memoryMiB: memoryMiB(context),
    hourlyRollupEnabled: reader.flag('USAGE_DASHBOARD_HOURLY_ROLLUP_ENABLED', null, true),
    archiveRetention: {
      ...policySwitch(reader, 'USAGE_ARCHIVE_RETENTION_ENABLED', fields.usageArchiveRetentionEnabled),
      days: retentionDays(context),
      daysLocked: reader.isSet('USAGE_ARCHIVE_RETENTION_DAYS'),
    },
    corsOrigins: corsOrigins(context),
    trustedProxies: trustedProxies(context),
    trustedPluginPages: trustedPluginPages(context),
    policy: {
      quotaCooldown: policySwitch(reader, 'USAGE_QUOTA_COOLDOWN_ENABLED', fields.quotaCooldownEnabled),
      accountActions: policySwitch(reader, 'USAGE_ACCOUNT_ACTIONS_ENABLED', fields.accountActionsEnabled),
      accountActionsAutoDisable: policySwitch(
        reader,
        'USAGE_ACCOUNT_ACTIONS_AUTO_DISABLE',
        fields.accountActionsAutoDisable,
      ),
    },
    panelPath: panelPath(context),
    demo: reader.flag('MANAGER_DEMO', null, false),
    warnings: reader.warnings,
  };
}

interface Context {
  readonly reader: SettingReader;
  readonly fields: ConfigFields;
  readonly configDir: string | null;
  readonly cwd: string;
}

function memoryMiB({ reader, fields }: Context): number {
  const value = reader.positiveInteger('USAGE_MEMORY_MB', fields.memoryMb, defaultMemoryMiB());
  if (value >= LEAST_MEMORY_MIB) return value;
  reader.warn(`USAGE_MEMORY_MB: ${value} is too small, using ${LEAST_MEMORY_MIB}`);
  return LEAST_MEMORY_MIB;
}

/** The runtime reads the file itself, at its start, and says nothing of one that it cannot use. */
function warnOfAuthorities(reader: SettingReader, file: string, cwd: string): void {
  const problem = extraAuthoritiesProblem(file, cwd);
  if (problem !== null) reader.warn(`NODE_EXTRA_CA_CERTS has no effect: ${problem}`);
}

function addresses({ reader, fields }: Context): Pick<ManagerConfig, 'httpAddress' | 'profilingAddress'> {
  const httpAddress = parseHostPort(reader.text('HTTP_ADDR', fields.httpAddr, '0.0.0.0:18317'), 'HTTP_ADDR');
  const text = reader.text('MANAGER_PPROF_ADDR', fields.pprofAddr, '');
  const profilingAddress = text === '' ? null : parseProfilingAddress(text, 'MANAGER_PPROF_ADDR');
  if (profilingAddress !== null && sharesAddress(httpAddress, profilingAddress)) {
    throw new ConfigError('MANAGER_PPROF_ADDR has the port of HTTP_ADDR; set it to another port');
  }
  return { httpAddress, profilingAddress };
}

/** Any text is accepted, because changing it makes the stored management key unreadable. */
function dataKeyText(context: Context): string {
  const text = secret(context, 'MANAGER_DATA_KEY', 'dataKeyFile', '/run/secrets/data_key');
  if (text !== '' && text.length < MIN_DATA_KEY_LENGTH) {
    context.reader.warn(
      `MANAGER_DATA_KEY has fewer than ${MIN_DATA_KEY_LENGTH} characters, so a copy of the database gives the management key to whoever ` +
        'guesses it; use the output of "openssl rand -base64 32" and save the connection again',
    );
  }
  return text;
}

/** '' when neither source sets a path; a relative path is relative to its source. */
function configuredPath(
  { reader, configDir, cwd }: Context,
  name: string,
  fileValue: string | null | undefined,
): string {
  const fromEnv = reader.env(name);
  if (fromEnv !== '') return resolve(cwd, fromEnv);
  const fromFile = (fileValue ?? '').trim();
  return fromFile === '' ? '' : resolve(configDir ?? cwd, fromFile);
}

function locations(
  context: Context,
): Pick<ManagerConfig, 'dataDir' | 'databasePath' | 'importsDir' | 'archivesDir' | 'dataKeyPath'> {
  const { reader, fields, configDir } = context;
  const configuredDataDir = configuredPath(context, 'USAGE_DATA_DIR', fields.dataDir);
  const defaultDataDir = configDir === null ? '/data' : join(configDir, 'data');
  // A data directory from the environment belongs to a container; a database path of the file would point outside it.
  const fileDbPath = reader.isSet('USAGE_DATA_DIR') ? null : fields.dbPath;
  const configuredDatabase = configuredPath(context, 'USAGE_DB_PATH', fileDbPath);
  const beside = configuredDataDir === '' && configuredDatabase !== '';

  // With only a database path, all our files are next to the database: the default directory may not exist.
  const dataDir = beside ? dirname(configuredDatabase) : configuredDataDir || defaultDataDir;
  const olderDataKey = join(defaultDataDir, 'data.key');
  const defaultDataKey = beside && existsSync(olderDataKey) ? olderDataKey : join(dataDir, 'data.key');
  return {
    dataDir,
    databasePath: configuredDatabase || join(dataDir, 'usage.sqlite'),
    importsDir: join(dataDir, 'usage-imports'),
    archivesDir: join(dataDir, 'usage-archives'),
    dataKeyPath: configuredPath(context, 'MANAGER_DATA_KEY_PATH', fields.dataKeyPath) || defaultDataKey,
  };
}

function secret(
  context: Context,
  name: string,
  fileField: 'adminKeyFile' | 'dataKeyFile' | 'managementKeyFile',
  defaultPath: string,
): string {
  const { reader, fields } = context;
  const variable = `${name}_FILE`;
  const configured = configuredPath(context, variable, fields[fileField]);
  let configuredBy = '';
  if (configured !== '') configuredBy = reader.isSet(variable) ? variable : fileField;
  const isOurs = name === 'MANAGER_DATA_KEY';
  return resolveSecret(
    { name, value: reader.env(name), path: configured || defaultPath, configuredBy, isOurs },
    reader.warn,
  );
}

/** Both or none: a URL of the environment is never joined with a key of the database. */
function environmentConnection(
  context: Context,
): Pick<ManagerConfig, 'environmentConnection' | 'environmentConnectionIncomplete'> {
  const { reader, fields } = context;
  const fileUrl = (fields.cpaUpstreamUrl ?? '').trim() || fields.upstreamUrl;
  const url = normaliseGatewayUrl(reader.text('UPSTREAM_URL', fileUrl, ''));
  const managementKey = secret(
    context,
    'UPSTREAM_MANAGEMENT_KEY',
    'managementKeyFile',
    '/run/secrets/upstream_management_key',
  );
  if (url === '' || managementKey === '') {
    if (url !== '') reader.warn('a gateway URL is configured without a management key; it is ignored');
    if (managementKey !== '') reader.warn('a management key is configured without a gateway URL; it is ignored');
    return { environmentConnection: null, environmentConnectionIncomplete: url !== '' || managementKey !== '' };
  }
  const problem = gatewayUrlProblem(url);
  if (problem !== null) reader.warn(`UPSTREAM_URL: ${problem}`);
  const keyProblem = gatewayKeyProblem(managementKey);
  if (keyProblem !== null) reader.warn(`UPSTREAM_MANAGEMENT_KEY: ${keyProblem}`);
  const connection: GatewayConnection = { baseUrl: withoutSecrets(url), managementKey };
  return { environmentConnection: connection, environmentConnectionIncomplete: false };
}

function retentionDays({ reader, fields }: Context): number {
  const text = reader.env('USAGE_ARCHIVE_RETENTION_DAYS');
  const [name, days] =
    text === ''
      ? ['usageArchiveRetentionDays', fields.usageArchiveRetentionDays ?? 30]
      : ['USAGE_ARCHIVE_RETENTION_DAYS', parseDecimal(text)];
  if (days !== null && days >= RETENTION_DAYS.least && days <= RETENTION_DAYS.most) return days;
  throw new ConfigError(`${name}: expected whole days from ${RETENTION_DAYS.least} to ${RETENTION_DAYS.most}`);
}

function corsOrigins({ reader, fields }: Context): readonly string[] {
  const list = entries(reader.env('USAGE_CORS_ORIGINS'), fields.corsOrigins ?? ['*']);
  for (const entry of list) {
    if (isOrigin(entry)) continue;
    reader.warn(
      `USAGE_CORS_ORIGINS: "${entry}" allows no page; expected an origin such as https://host:8443, null or *`,
    );
  }
  return list;
}

function trustedProxies({ reader, fields }: Context): readonly string[] {
  const list = entries(reader.env('USAGE_TRUSTED_PROXIES'), fields.trustedProxies ?? ['127.0.0.0/8', '::1']);
  const wrong = list.find((entry) => !isNetwork(entry));
  const every = list.find((entry) => /\/0+$/.test(entry));
  if (every !== undefined) {
    reader.warn(
      `USAGE_TRUSTED_PROXIES: ${every} trusts everybody, so every caller chooses the address that it is counted by; name the proxies`,
    );
  }
  if (wrong === undefined) return list;
  throw new ConfigError(`USAGE_TRUSTED_PROXIES: expected addresses or networks such as 172.16.0.0/12, got "${wrong}"`);
}

function trustedPluginPages({ reader, fields }: Context): boolean {
  const trusted = reader.flag('USAGE_TRUSTED_PLUGIN_PAGES', fields.trustedPluginPages, false);
  if (trusted)
    reader.warn(
      'USAGE_TRUSTED_PLUGIN_PAGES is on: every page of a gateway plugin can read the admin key that the panel keeps in the browser',
    );
  return trusted;
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** The comma list of the environment, else the list of the file; `,` is an empty list. */
function entries(text: string, list: readonly string[]): readonly string[] {
  return (text === '' ? list : text.split(',')).map((entry) => entry.trim()).filter((entry) => entry !== '');
}

function policySwitch(reader: SettingReader, name: string, fileValue: boolean | null | undefined): PolicySwitch {
  return { enabled: reader.flag(name, fileValue, false), locked: reader.isSet(name) };
}

function panelPath(context: Context): string {
  const path = configuredPath(context, 'PANEL_PATH', context.fields.panelPath);
  if (path === '') return '';
  try {
    accessSync(path, constants.R_OK);
    if (statSync(path).isFile()) return path;
  } catch {
    // Reported below.
  }
  context.reader.warn('PANEL_PATH: the file cannot be read, using the embedded panel');
  return '';
}
