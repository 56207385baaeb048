import { createHash } from 'node:crypto';
import samples from '../fixtures/management-samples.json';
import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import { AUTH_DIRECTORY } from './auth-index.ts';
import { setYamlKey, syntaxMessage, typeMessage, withOuterComments } from './yaml-edit.ts';

/** The gateway's configuration file, with its JSON view and the key check. */
export interface ConfigStore {
  yaml(): string;
  /** Members of the file. */
  file(): JsonObject;
  /** The whole configuration with defaults, as GET `/config` shows it. */
  view(): JsonObject;
  get(path: readonly string[]): JsonValue | undefined;
  set(path: readonly string[], value: JsonValue | undefined): void;
  /** Replaces the file; comments lose their indent. `message` says why the text cannot be loaded. */
  replace(text: string): { readonly ok: true } | { readonly ok: false; readonly message: string };
  setKey(key: string): void;
  hasKey(): boolean;
  /** A key was there since the start, and was removed. */
  lostKey(): boolean;
  /** As after a restart: a key that is missing now was never there. */
  forgetKey(): void;
  matchesKey(candidate: string): boolean;
  remoteAllowed(): boolean;
  statsEnabled(): boolean;
  retentionMs(): number;
  /** Where the auth files are. */
  authDirectory(): string;
}

/** Nanoseconds where a number is a time. */
const CONCURRENCY: JsonObject = {
  'credential-concurrency': {
    'lifecycle-config-revision': 0,
    'observation-barrier-revision': 0,
    'cpa-heartbeat-timeout': 3e9,
    'cpa-cancel-bound': 5e9,
    'reclaim-grace': 5e9,
    'cleanup-interval': 5e9,
    'release-flush-interval': 250e6,
    'release-max-backoff': 2e9,
    'busy-retry-min': 250e6,
    'busy-retry-max': 1e9,
    'max-limit': 1_000_000,
  },
  'credential-in-flight': {
    'snapshot-interval': '2s',
    'stale-after': '10s',
    'max-part-bytes': 262_144,
    'max-part-count': 64,
    'max-revision-bytes': 16_777_216,
    'max-aggregate-groups': 100_000,
    'max-details': 10_000,
    'max-string-bytes': 256,
    'staging-retention': '1m',
  },
};

/** Values of an empty configuration; the shape is that of the sample answer. */
const DEFAULTS: JsonObject = {
  ...(samples['GET /v0/management/config'] as JsonObject),
  ...CONCURRENCY,
  'api-keys': null,
  'usage-statistics-enabled': false,
  'logging-to-file': false,
  'request-retry': 0,
  'max-retry-interval': 0,
  'quota-exceeded': { 'switch-project': false, 'switch-preview-model': false, 'antigravity-credits': false },
  plugins: { enabled: false, dir: 'plugins', configs: {} },
  routing: {},
  'redis-usage-queue-retention-seconds': 60,
  'gemini-api-key': [],
  'openai-compatibility': [],
};
const HIDDEN = ['host', 'port', 'auth-dir', 'remote-management', 'home', 'cluster'];
/** Lists whose entries show an empty proxy. */
const PROXY_SHOWN = ['codex-api-key', 'xai-api-key', 'claude-api-key'];
const RETENTION = 'redis-usage-queue-retention-seconds';

export function createConfigStore(options: {
  readonly yaml: string;
  /** The file changed, in whatever way. */
  readonly changed: () => void;
}): ConfigStore {
  /** Plain keys by the hash the file shows instead. */
  const plainKeys = new Map<string, string>();
  let text = '';
  let parsed: JsonObject = {};
  let hadKey = false;

  function load(yaml: string, document: JsonObject): void {
    text = yaml;
    parsed = document;
    const secret = secretKey();
    if (secret !== '' && !isHash(secret)) {
      const hash = hashOf(secret);
      plainKeys.set(hash, secret);
      store(['remote-management', 'secret-key'], hash);
    }
    changed();
  }

  function changed(): void {
    hadKey ||= secretKey() !== '';
    options.changed();
  }

  /** Writes without notifying. */
  function store(path: readonly string[], value: JsonValue | undefined): void {
    text = setYamlKey(text, path, value);
    parsed = parseDocument(text) ?? parsed;
  }

  function secretKey(): string {
    const management = parsed['remote-management'];
    return isObject(management) && typeof management['secret-key'] === 'string' ? management['secret-key'] : '';
  }

  function view(): JsonObject {
    const merged: JsonObject = { ...DEFAULTS };
    for (const [name, value] of Object.entries(parsed)) {
      const base = merged[name];
      merged[name] = isObject(base) && isObject(value) ? { ...base, ...value } : value;
    }
    for (const name of PROXY_SHOWN) {
      const entries = merged[name];
      if (Array.isArray(entries))
        merged[name] = entries.map((entry) => (isObject(entry) ? { 'proxy-url': '', ...entry } : entry));
    }
    for (const name of HIDDEN) delete merged[name];
    merged.plugins = publicPlugins(merged.plugins ?? null);
    return merged;
  }

  const initial = parseDocument(options.yaml);
  if (initial === null) throw new Error('the configuration is not a YAML mapping');
  load(options.yaml, initial);

  return {
    yaml: () => text,
    file: () => parsed,
    view,
    get: (path) =>
      path.reduce<JsonValue | undefined>((value, key) => (isObject(value) ? value[key] : undefined), view()),
    set(path, value) {
      store(path, value);
      changed();
    },
    replace(yaml) {
      const document = parseDocument(yaml);
      if (document === null) return { ok: false, message: syntaxMessage(yaml) };
      const message = typeMessage(yaml, document);
      if (message !== null) return { ok: false, message };
      load(withOuterComments(yaml), document);
      return { ok: true };
    },
    setKey(key) {
      const hash = key === '' ? '' : hashOf(key);
      if (hash !== '') plainKeys.set(hash, key);
      store(['remote-management', 'secret-key'], hash);
      changed();
    },
    hasKey: () => secretKey() !== '',
    lostKey: () => hadKey && secretKey() === '',
    forgetKey() {
      hadKey = secretKey() !== '';
    },
    matchesKey(candidate) {
      const secret = secretKey();
      const plain = plainKeys.get(secret);
      return plain === undefined ? verifies(candidate, secret) : plain === candidate;
    },
    remoteAllowed() {
      const management = parsed['remote-management'];
      return isObject(management) && management['allow-remote'] === true;
    },
    authDirectory: () => (typeof parsed['auth-dir'] === 'string' ? parsed['auth-dir'] : AUTH_DIRECTORY),
    statsEnabled: () => parsed['usage-statistics-enabled'] === true,
    retentionMs() {
      const seconds = parsed[RETENTION];
      if (typeof seconds !== 'number' || seconds <= 0) return 60_000;
      return Math.min(seconds, 3600) * 1000;
    },
  };
}

function parseDocument(yaml: string): JsonObject | null {
  try {
    const document: unknown = Bun.YAML.parse(yaml);
    if (document === null || document === undefined) return {};
    return isObject(document) ? document : null;
  } catch {
    return null;
  }
}

/** Private settings of plugins are not shown. */
function publicPlugins(plugins: JsonValue): JsonValue {
  if (!isObject(plugins) || !isObject(plugins.configs)) return plugins;
  const configs: JsonObject = {};
  for (const [id, config] of Object.entries(plugins.configs)) {
    const shown: JsonObject = {};
    for (const name of ['enabled', 'priority']) {
      const value = isObject(config) ? config[name] : undefined;
      if (value !== undefined) shown[name] = value;
    }
    configs[id] = shown;
  }
  return { ...plugins, configs };
}

function isHash(secret: string): boolean {
  return /^\$2[aby]\$/.test(secret);
}

/** Looks like a bcrypt hash, without its cost: tests authenticate often. */
function hashOf(key: string): string {
  return `$2a$10$${createHash('sha256').update(key).digest('base64url').padEnd(53, 'x').slice(0, 53)}`;
}

function verifies(candidate: string, hash: string): boolean {
  try {
    return Bun.password.verifySync(candidate, hash);
  } catch {
    return false;
  }
}
