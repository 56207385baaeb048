// Over 400 lines because it is one table of every setting with its sources and bad values.
import { afterAll, describe, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ManagerConfig } from './config.ts';
import { ConfigError } from './config-error.ts';
import { loadConfig } from './load.ts';
import type { Environment } from './values.ts';

const root = mkdtempSync(join(tmpdir(), 'config-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let places = 0;

/** A fresh executable directory and working directory; `file` is the content of `config.json`. */
function place(file?: unknown) {
  const base = join(root, String(++places));
  const executableDir = join(base, 'app');
  const cwd = join(base, 'work');
  mkdirSync(executableDir, { recursive: true });
  mkdirSync(cwd, { recursive: true });
  if (file !== undefined) {
    writeFileSync(join(executableDir, 'config.json'), typeof file === 'string' ? file : JSON.stringify(file));
  }
  const load = (env: Environment = {}, purpose: 'serve' | 'command' = 'serve') =>
    loadConfig({ env, cwd, executableDir, purpose });
  return { base, executableDir, cwd, load };
}

describe('single settings', () => {
  const cases: {
    name: string;
    file?: Record<string, unknown>;
    env?: Environment;
    read: (config: ManagerConfig) => unknown;
    expect: unknown;
    warns?: string;
  }[] = [
    { name: 'default address', read: (c) => c.httpAddress, expect: { host: '0.0.0.0', port: 18317 } },
    {
      name: 'environment over file',
      file: { httpAddr: '127.0.0.1:1' },
      env: { HTTP_ADDR: 'localhost:2' },
      read: (c) => c.httpAddress,
      expect: { host: 'localhost', port: 2 },
    },
    {
      name: 'blank variable is unset',
      file: { httpAddr: '127.0.0.1:1' },
      env: { HTTP_ADDR: '  ' },
      read: (c) => c.httpAddress.port,
      expect: 1,
    },
    {
      name: 'IPv6 address',
      env: { HTTP_ADDR: '[::1]:80' },
      read: (c) => c.httpAddress,
      expect: { host: '::1', port: 80 },
    },
    {
      name: 'port alone means every address',
      env: { HTTP_ADDR: ':80' },
      read: (c) => c.httpAddress,
      expect: { host: '0.0.0.0', port: 80 },
    },
    { name: 'no profiling', read: (c) => c.profilingAddress, expect: null },
    {
      name: 'profiling host in any case',
      env: { MANAGER_PPROF_ADDR: 'LocalHost:6060' },
      read: (c) => c.profilingAddress?.port,
      expect: 6060,
    },
    {
      name: 'mode in any case',
      env: { USAGE_COLLECTOR_MODE: ' SubScribe ' },
      read: (c) => c.collector.collectorMode,
      expect: 'subscribe',
    },
    {
      name: 'unknown mode',
      file: { collectorMode: 'http' },
      env: { USAGE_COLLECTOR_MODE: 'kafka' },
      read: (c) => c.collector.collectorMode,
      expect: 'auto',
      warns: 'USAGE_COLLECTOR_MODE',
    },
    {
      name: 'unknown pop side',
      file: { popSide: 'left' },
      env: { USAGE_RESP_POP_SIDE: 'up' },
      read: (c) => c.collector.popSide,
      expect: 'right',
      warns: 'USAGE_RESP_POP_SIDE',
    },
    { name: 'pop side of the file', file: { popSide: 'left' }, read: (c) => c.collector.popSide, expect: 'left' },
    {
      name: '12abc is not 12',
      file: { batchSize: 7 },
      env: { USAGE_BATCH_SIZE: '12abc' },
      read: (c) => c.collector.batchSize,
      expect: 7,
      warns: 'USAGE_BATCH_SIZE: not an integer above 0, using 7',
    },
    {
      name: '0 falls back',
      env: { USAGE_BATCH_SIZE: '0' },
      read: (c) => c.collector.batchSize,
      expect: 100,
      warns: 'USAGE_BATCH_SIZE',
    },
    { name: 'a budget of memory', file: { memoryMb: 256 }, read: (c) => c.memoryMiB, expect: 256 },
    {
      name: 'a budget of memory that is too small',
      file: { memoryMb: 256 },
      env: { USAGE_MEMORY_MB: '64' },
      read: (c) => c.memoryMiB,
      expect: 192,
      warns: 'USAGE_MEMORY_MB: 64 is too small, using 192',
    },
    {
      name: 'decimal only',
      env: { USAGE_QUERY_LIMIT: '0x10' },
      read: (c) => c.collector.queryLimit,
      expect: 50_000,
      warns: 'USAGE_QUERY_LIMIT',
    },
    {
      name: 'too large an integer',
      env: { USAGE_QUERY_LIMIT: '99999999999999999999' },
      read: (c) => c.collector.queryLimit,
      expect: 50_000,
      warns: 'USAGE_QUERY_LIMIT',
    },
    {
      name: 'negative in the file is unset',
      file: { pollIntervalMs: -5 },
      read: (c) => c.collector.pollIntervalMs,
      expect: 500,
    },
    {
      name: 'a good integer',
      env: { USAGE_POLL_INTERVAL_MS: ' 250 ' },
      read: (c) => c.collector.pollIntervalMs,
      expect: 250,
    },
    {
      name: 'null in the file is unset',
      file: { queue: null, batchSize: null },
      read: (c) => [c.collector.queue, c.collector.batchSize],
      expect: ['usage', 100],
    },
    {
      name: 'a false variable beats true in the file',
      file: { tlsSkipVerify: true },
      env: { USAGE_RESP_TLS_SKIP_VERIFY: 'no' },
      read: (c) => c.collector.tlsSkipVerify,
      expect: false,
    },
    {
      name: 'any other text is false',
      file: { tlsSkipVerify: true },
      env: { USAGE_RESP_TLS_SKIP_VERIFY: 'ja' },
      read: (c) => c.collector.tlsSkipVerify,
      expect: false,
      warns: 'USAGE_RESP_TLS_SKIP_VERIFY',
    },
    {
      name: 'yes is true',
      env: { USAGE_RESP_TLS_SKIP_VERIFY: 'YES' },
      read: (c) => c.collector.tlsSkipVerify,
      expect: true,
    },
    { name: 'rollup is on', read: (c) => c.hourlyRollupEnabled, expect: true },
    {
      name: 'rollup off',
      env: { USAGE_DASHBOARD_HOURLY_ROLLUP_ENABLED: 'off' },
      read: (c) => c.hourlyRollupEnabled,
      expect: false,
    },
    {
      name: 'policy from the file is not locked',
      file: { quotaCooldownEnabled: true },
      read: (c) => c.policy.quotaCooldown,
      expect: { enabled: true, locked: false },
    },
    {
      name: 'policy from the environment is locked',
      file: { quotaCooldownEnabled: true },
      env: { USAGE_QUOTA_COOLDOWN_ENABLED: 'false' },
      read: (c) => c.policy.quotaCooldown,
      expect: { enabled: false, locked: true },
    },
    {
      name: 'a blank variable does not lock',
      env: { USAGE_ACCOUNT_ACTIONS_ENABLED: '' },
      read: (c) => c.policy.accountActions,
      expect: { enabled: false, locked: false },
    },
    { name: 'only this host is a trusted proxy', read: (c) => c.trustedProxies, expect: ['127.0.0.0/8', '::1'] },
    {
      name: 'trusted proxies of the environment',
      env: { USAGE_TRUSTED_PROXIES: '172.16.0.0/12, fd00::/8' },
      file: { trustedProxies: ['10.0.0.1'] },
      read: (c) => c.trustedProxies,
      expect: ['172.16.0.0/12', 'fd00::/8'],
    },
    { name: 'no trusted proxy', env: { USAGE_TRUSTED_PROXIES: ',' }, read: (c) => c.trustedProxies, expect: [] },
    { name: 'plugin pages are not trusted', read: (c) => c.trustedPluginPages, expect: false },
    {
      name: 'plugin pages trusted by the file',
      file: { trustedPluginPages: true },
      read: (c) => c.trustedPluginPages,
      expect: true,
      warns: 'USAGE_TRUSTED_PLUGIN_PAGES is on',
    },
    {
      name: 'plugin pages not trusted by the environment',
      env: { USAGE_TRUSTED_PLUGIN_PAGES: 'false' },
      file: { trustedPluginPages: true },
      read: (c) => [c.trustedPluginPages, c.warnings.some((text) => text.includes('USAGE_TRUSTED_PLUGIN_PAGES'))],
      expect: [false, false],
    },
    { name: 'CORS for all', read: (c) => c.corsOrigins, expect: ['*'] },
    { name: 'CORS off', env: { USAGE_CORS_ORIGINS: ',' }, read: (c) => c.corsOrigins, expect: [] },
    {
      name: 'CORS unset',
      env: { USAGE_CORS_ORIGINS: '' },
      file: { corsOrigins: ['https://a', ' '] },
      read: (c) => c.corsOrigins,
      expect: ['https://a'],
    },
    {
      name: 'CORS list',
      env: { USAGE_CORS_ORIGINS: 'https://a, https://b' },
      read: (c) => c.corsOrigins,
      expect: ['https://a', 'https://b'],
    },
    {
      name: 'CORS of what is no origin',
      env: { USAGE_CORS_ORIGINS: 'https://a, null, chrome-extension://abc, https://b/path' },
      read: (c) => c.corsOrigins.length,
      expect: 4,
      warns: '"https://b/path" allows no page',
    },
    ...['evil', 'https://a/', 'https://A', 'https://a:443'].map((entry) => ({
      name: `CORS of ${entry}`,
      file: { corsOrigins: [entry] },
      read: (c: ManagerConfig) => c.corsOrigins,
      expect: [entry],
      warns: `"${entry}" allows no page; expected an origin`,
    })),
    {
      name: 'everybody as trusted proxy',
      env: { USAGE_TRUSTED_PROXIES: '10.0.0.0/8, 0.0.0.0/0' },
      read: (c) => c.trustedProxies.length,
      expect: 2,
      warns: '0.0.0.0/0 trusts everybody',
    },
    {
      name: 'a batch without a sensible end',
      env: { USAGE_BATCH_SIZE: '1000000000' },
      read: (c) => c.collector.batchSize,
      expect: 5000,
      warns: 'USAGE_BATCH_SIZE: 1000000000 is too large, using 5000',
    },
    {
      name: 'the same in the file',
      file: { batchSize: 6000 },
      read: (c) => c.collector.batchSize,
      expect: 5000,
      warns: 'using 5000',
    },
    {
      name: 'a short data key',
      env: { MANAGER_DATA_KEY: 'x' },
      read: (c) => c.dataKeyText,
      expect: 'x',
      warns: 'MANAGER_DATA_KEY has fewer than 16 characters',
    },
    {
      name: 'a missing file of authorities',
      env: { NODE_EXTRA_CA_CERTS: '/nope/ca.pem' },
      read: (c) => c.warnings.length,
      expect: 1,
      warns: 'NODE_EXTRA_CA_CERTS has no effect: cannot read /nope/ca.pem (no such file or directory, ENOENT)',
    },
    {
      name: 'a file without certificates',
      env: { NODE_EXTRA_CA_CERTS: import.meta.path },
      read: (c) => c.warnings.length,
      expect: 1,
      warns: `${import.meta.path} contains no certificate in PEM format`,
    },
    {
      name: 'profiling beside the interface, on another address',
      env: { HTTP_ADDR: '192.0.2.1:9999', MANAGER_PPROF_ADDR: '127.0.0.1:9999' },
      read: (c) => c.profilingAddress?.port,
      expect: 9999,
    },
    {
      name: 'import defaults',
      read: (c) => c.imports,
      expect: { chunkBytes: 4194304, diskQuotaBytes: 17179869184, maxSessions: 2, sessionTtlMinutes: 1440 },
    },
    {
      name: 'retention days',
      env: { USAGE_ARCHIVE_RETENTION_DAYS: '106751' },
      read: (c) => c.archiveRetention,
      expect: { enabled: false, locked: false, days: 106751, daysLocked: true },
    },
    { name: 'demo', env: { MANAGER_DEMO: '1' }, read: (c) => c.demo, expect: true },
    {
      name: 'unreadable panel',
      env: { PANEL_PATH: 'missing.html' },
      read: (c) => c.panelPath,
      expect: '',
      warns: 'PANEL_PATH',
    },
    {
      name: 'both halves of a connection',
      env: { UPSTREAM_URL: 'gateway:8317/v0/management/', UPSTREAM_MANAGEMENT_KEY: ' k ' },
      read: (c) => c.environmentConnection,
      expect: { baseUrl: 'http://gateway:8317', managementKey: 'k' },
    },
    {
      name: 'URL of the file, key of the environment',
      file: { cpaUpstreamUrl: ' ', upstreamUrl: 'https://g' },
      env: { UPSTREAM_MANAGEMENT_KEY: 'k' },
      read: (c) => c.environmentConnection?.baseUrl,
      expect: 'https://g',
    },
    {
      name: 'URL alone',
      env: { UPSTREAM_URL: 'http://g' },
      read: (c) => c.environmentConnection,
      expect: null,
      warns: 'without a management key',
    },
    {
      name: 'key alone',
      env: { UPSTREAM_MANAGEMENT_KEY: 'k' },
      read: (c) => c.environmentConnection,
      expect: null,
      warns: 'without a gateway URL',
    },
    {
      name: 'a password in the URL goes nowhere',
      env: { UPSTREAM_URL: 'http://u:topsecret@g/x?y=1', UPSTREAM_MANAGEMENT_KEY: 'k' },
      read: (c) => [c.environmentConnection?.baseUrl, JSON.stringify(c).includes('topsecret')],
      expect: ['http://g/x', false],
      warns: 'UPSTREAM_URL',
    },
  ];
  for (const entry of cases) {
    test(entry.name, () => {
      const config = place(entry.file ?? {}).load(entry.env);
      expect(entry.read(config)).toEqual(entry.expect);
      if (entry.warns === undefined) expect(config.warnings).toEqual([]);
      else expect(config.warnings.join('\n')).toContain(entry.warns);
    });
  }
});

describe('refused configurations', () => {
  const cases: { name: string; file?: unknown; env?: Environment; message: RegExp }[] = [
    { name: 'address without port', env: { HTTP_ADDR: '0.0.0.0' }, message: /HTTP_ADDR/ },
    { name: 'port out of range', env: { HTTP_ADDR: 'x:70000' }, message: /HTTP_ADDR/ },
    { name: 'profiling on every address', env: { MANAGER_PPROF_ADDR: '0.0.0.0:1' }, message: /MANAGER_PPROF_ADDR/ },
    ...['127.0.0.1:9999', ':9999', '[::]:9999'].map((address) => ({
      name: `profiling on the port of ${address}`,
      env: { HTTP_ADDR: address, MANAGER_PPROF_ADDR: '127.0.0.1:9999' },
      message: /MANAGER_PPROF_ADDR has the port of HTTP_ADDR/,
    })),
    {
      name: 'profiling on another loopback address',
      env: { MANAGER_PPROF_ADDR: '127.0.0.2:1' },
      message: /MANAGER_PPROF_ADDR/,
    },
    {
      name: 'retention of 0 days, although off',
      env: { USAGE_ARCHIVE_RETENTION_DAYS: '0' },
      message: /RETENTION_DAYS/,
    },
    { name: 'retention of text', env: { USAGE_ARCHIVE_RETENTION_DAYS: '30d' }, message: /RETENTION_DAYS/ },
    {
      name: 'retention that overflows',
      file: { usageArchiveRetentionDays: 106752 },
      message: /usageArchiveRetentionDays/,
    },
    { name: 'a name as proxy', env: { USAGE_TRUSTED_PROXIES: 'nginx' }, message: /USAGE_TRUSTED_PROXIES.*"nginx"/ },
    { name: 'a network too small', file: { trustedProxies: ['10.0.0.0/33'] }, message: /USAGE_TRUSTED_PROXIES/ },
    { name: 'UTF-16', file: '{\u0000}\u0000', message: /config\.json is UTF-16 text; save it as UTF-8/ },
    { name: 'no JSON', file: '{', message: /not valid JSON/ },
    { name: 'a list', file: '[]', message: /config\.json/ },
    { name: 'number as text', file: { batchSize: '7' }, message: /batchSize/ },
    { name: 'fraction', file: { batchSize: 7.5 }, message: /batchSize/ },
    { name: 'boolean as text', file: { tlsSkipVerify: 'true' }, message: /tlsSkipVerify/ },
  ];
  for (const entry of cases) {
    test(entry.name, () => {
      const { load } = place(entry.file ?? {});
      expect(() => load(entry.env)).toThrow(ConfigError);
      expect(() => load(entry.env)).toThrow(entry.message);
    });
  }
});

describe('the file', () => {
  test('is created once, private, with the default content', () => {
    const { executableDir, load } = place();
    const config = load();
    const path = join(executableDir, 'config.json');
    expect(readFileSync(path, 'utf8')).toBe('{\n  "httpAddr": "0.0.0.0:18317",\n  "dataDir": "./data"\n}\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(config.dataDir).toBe(join(executableDir, 'data'));
    expect(existsSync(config.dataDir)).toBe(false);
  });

  test('is created at MANAGER_CONFIG, in a private directory', () => {
    const { cwd, load } = place({ batchSize: 3 });
    const config = load({ MANAGER_CONFIG: 'etc/m.json' });
    expect(statSync(join(cwd, 'etc')).mode & 0o777).toBe(0o700);
    expect(config.dataDir).toBe(join(cwd, 'etc', 'data'));
    expect(config.collector.batchSize).toBe(100);
  });

  test('is neither read nor created when the environment sets the data directory', () => {
    const { executableDir, cwd, load } = place();
    const config = load({ USAGE_DATA_DIR: 'state' });
    expect(existsSync(join(executableDir, 'config.json'))).toBe(false);
    expect(config.databasePath).toBe(join(cwd, 'state', 'usage.sqlite'));
  });

  test('is not created by an offline command', () => {
    const { executableDir, cwd, load } = place();
    expect(load({}, 'command').dataDir).toBe(join(executableDir, 'data'));
    expect(load({ MANAGER_CONFIG: 'no/where.json' }, 'command').dataDir).toBe(join(cwd, 'no', 'data'));
    expect(existsSync(join(executableDir, 'config.json'))).toBe(false);
    expect(existsSync(join(cwd, 'no'))).toBe(false);
  });

  test('must be a regular file', () => {
    const { executableDir, load } = place();
    mkdirSync(join(executableDir, 'config.json'));
    expect(load).toThrow(/not a regular file/);
  });

  test('a dangling link is not replaced', () => {
    const { executableDir, load } = place();
    symlinkSync(join(executableDir, 'nowhere'), join(executableDir, 'config.json'));
    expect(load).toThrow(ConfigError);
  });

  test('unknown fields are ignored, a byte order mark too', () => {
    expect(place('\uFEFF{"later":{"a":1},"queue":"q"}').load().collector.queue).toBe('q');
  });
});

describe('places', () => {
  test('a relative path is relative to its source', () => {
    const { executableDir, cwd, load } = place({ dataDir: 'state', dataKeyPath: 'keys/k' });
    const config = load({ USAGE_DB_PATH: 'db/u.sqlite' });
    expect(config.dataDir).toBe(join(executableDir, 'state'));
    expect(config.dataKeyPath).toBe(join(executableDir, 'keys', 'k'));
    expect(config.databasePath).toBe(join(cwd, 'db', 'u.sqlite'));
    expect(config.archivesDir).toBe(join(executableDir, 'state', 'usage-archives'));
    expect(config.importsDir).toBe(join(executableDir, 'state', 'usage-imports'));
  });

  test('a data directory of the environment overrides the database path of the file', () => {
    const { cwd, load } = place({ dbPath: '/elsewhere/u.sqlite' });
    expect(load({ USAGE_DATA_DIR: 'd' }).databasePath).toBe(join(cwd, 'd', 'usage.sqlite'));
  });

  test('with only a database path all files are next to the database', () => {
    const { base, load } = place({ dbPath: '../db/u.sqlite' });
    const config = load();
    expect(config.archivesDir).toBe(join(base, 'db', 'usage-archives'));
    expect(config.importsDir).toBe(join(base, 'db', 'usage-imports'));
    expect(config.dataKeyPath).toBe(join(base, 'db', 'data.key'));
  });

  test('an older data key in the default directory stays in use', () => {
    const { executableDir, load } = place({ dbPath: '../db/u.sqlite' });
    mkdirSync(join(executableDir, 'data'));
    writeFileSync(join(executableDir, 'data', 'data.key'), 'x');
    expect(load().dataKeyPath).toBe(join(executableDir, 'data', 'data.key'));
  });

  test('the example of the documentation', () => {
    const { executableDir, load } = place({ dataDir: 'state', batchSize: 7, popSide: 'left' });
    const config = load({ USAGE_BATCH_SIZE: '0', USAGE_RESP_POP_SIDE: 'up' });
    expect(config.dataDir).toBe(join(executableDir, 'state'));
    expect(config.collector.batchSize).toBe(7);
    expect(config.collector.popSide).toBe('right');
  });
});

describe('secrets', () => {
  test('direct value, file of the environment, file of the file', () => {
    const { executableDir, cwd, load } = place({ adminKeyFile: 'a.key' });
    writeFileSync(join(executableDir, 'a.key'), ' from-file \n');
    writeFileSync(join(cwd, 'b.key'), 'from-env-file\n');
    expect(load().adminKey).toBe('from-file');
    expect(load({ MANAGER_ADMIN_KEY_FILE: 'b.key' }).adminKey).toBe('from-env-file');
    expect(load({ MANAGER_ADMIN_KEY_FILE: 'b.key', MANAGER_ADMIN_KEY: 'direct' }).adminKey).toBe('direct');
    expect(load({ MANAGER_ADMIN_KEY_FILE: '', MANAGER_ADMIN_KEY: '' }).adminKey).toBe('from-file');
  });

  test('a configured file without a value is reported', () => {
    const { cwd, load } = place({});
    writeFileSync(join(cwd, 'empty'), ' \n');
    expect(load({ MANAGER_ADMIN_KEY_FILE: 'empty' }).warnings[0]).toMatch(/MANAGER_ADMIN_KEY_FILE: .*empty/);
    expect(load({ MANAGER_DATA_KEY_FILE: 'missing' }).warnings[0]).toMatch(/MANAGER_DATA_KEY_FILE: .*missing/);
    expect(load().warnings).toEqual([]);
  });

  test('one key for two purposes is reported', () => {
    const env = { MANAGER_ADMIN_KEY: 'same', UPSTREAM_MANAGEMENT_KEY: 'same', UPSTREAM_URL: 'http://g' };
    expect(place({}).load(env).warnings).toEqual([expect.stringContaining('two different keys')]);
  });

  test('an unreadable file counts as empty', () => {
    const { load } = place({});
    expect(load({ MANAGER_DATA_KEY_FILE: '.' }).dataKeyText).toBe('');
  });
});
