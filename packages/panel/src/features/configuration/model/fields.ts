import { type ConfigObject, type ConfigValue, isList, isObject, type Path, valueAt } from './values.ts';

export const SECTIONS = [
  'server',
  'remote',
  'clients',
  'system',
  'network',
  'routing',
  'quota',
  'streaming',
  'headers',
  'providers',
  'payload',
  'plugins',
] as const;
export type Section = (typeof SECTIONS)[number];

interface Common {
  readonly section: Section;
  readonly path: Path;
}
export type Field = Common &
  (
    | { readonly kind: 'boolean'; readonly fallback: boolean }
    | {
        readonly kind: 'integer';
        readonly fallback: number | null;
        readonly min: number;
        readonly max: number;
        readonly unit?: 'seconds' | 'megabytes';
      }
    | { readonly kind: 'text' | 'secret' }
    | { readonly kind: 'choice'; readonly choices: readonly (boolean | string)[]; readonly fallback: boolean | string }
    /** A list of texts, or a part with a form of its own: both are edited as YAML. */
    | { readonly kind: 'structure' }
  );

const MAX = 2 ** 31 - 1;

type Made = Omit<Field, 'section' | 'path'> & { readonly name: string };
const bool = (name: string, fallback = false) => ({ name, kind: 'boolean' as const, fallback });
const int = (
  name: string,
  fallback: number | null,
  rest: { min?: number; max?: number; unit?: 'seconds' | 'megabytes' } = {},
) => ({
  name,
  kind: 'integer' as const,
  fallback,
  min: 0,
  max: MAX,
  ...rest,
});
const text = (name: string) => ({ name, kind: 'text' as const });
const structure = (name: string) => ({ name, kind: 'structure' as const });
const seconds = { unit: 'seconds' } as const;

/** Every setting of the gateway that the visual mode edits, by the section that shows it. Client keys and providers have pages of their own. */
const TABLE: Readonly<Record<Exclude<Section, 'clients'>, readonly Made[]>> = {
  server: [
    text('host'),
    int('port', 8317, { min: 1, max: 65_535 }),
    bool('tls.enable'),
    text('tls.cert'),
    text('tls.key'),
    text('auth-dir'),
    bool('ws-auth', true),
  ],
  remote: [
    bool('remote-management.allow-remote'),
    { name: 'remote-management.secret-key', kind: 'secret' },
    bool('remote-management.disable-control-panel'),
    text('remote-management.panel-github-repository'),
    bool('remote-management.disable-auto-update-panel'),
  ],
  system: [
    bool('usage-statistics-enabled'),
    int('redis-usage-queue-retention-seconds', 60, { min: 1, max: 3600, unit: 'seconds' }),
    bool('debug'),
    bool('logging-to-file'),
    int('logs-max-total-size-mb', 0, { unit: 'megabytes' }),
    int('error-logs-max-files', 10),
    bool('request-log'),
    bool('pprof.enable'),
    text('pprof.addr'),
    bool('commercial-mode'),
  ],
  network: [
    text('proxy-url'),
    bool('passthrough-headers'),
    bool('force-model-prefix'),
    {
      name: 'disable-image-generation',
      kind: 'choice',
      choices: [false, true, 'chat', 'passthrough'],
      fallback: false,
    } as Made,
    text('gpt-image-2-base-model'),
    text('video-result-auth-cache-ttl'),
    int('auth-auto-refresh-workers', 0),
  ],
  routing: [
    {
      name: 'routing.strategy',
      kind: 'choice',
      choices: ['round-robin', 'weighted-round-robin', 'fill-first'],
      fallback: 'round-robin',
    } as Made,
    bool('routing.session-affinity'),
    text('routing.session-affinity-ttl'),
    int('request-retry', 0),
    int('max-retry-credentials', 0),
    int('max-retry-interval', 0, seconds),
    bool('disable-cooling'),
    bool('save-cooldown-status'),
    int('transient-error-cooldown-seconds', 0, { min: -1, unit: 'seconds' }),
  ],
  quota: [
    bool('quota-exceeded.switch-project'),
    bool('quota-exceeded.switch-preview-model'),
    bool('quota-exceeded.antigravity-credits'),
  ],
  streaming: [
    int('streaming.keepalive-seconds', 0, seconds),
    int('streaming.bootstrap-retries', 0),
    int('nonstream-keepalive-interval', 0, seconds),
  ],
  headers: [
    ...['user-agent', 'package-version', 'runtime-version', 'os', 'arch', 'timeout', 'timezone'].map((name) =>
      text(`claude-header-defaults.${name}`),
    ),
    text('codex-header-defaults.user-agent'),
    text('codex-header-defaults.beta-features'),
  ],
  providers: [
    bool('disable-claude-cloak-mode'),
    bool('claude-code.disable-cloaking-model-list'),
    bool('codex.disable-codex-cloaking'),
    bool('codex.identity-confuse'),
    bool('codex.optimize-multi-agent-v2'),
    bool('codex.stream-bootstrap-buffering'),
    structure('codex.live-media-relay'),
    bool('xai.inject-x-search'),
    structure('antigravity'),
  ],
  payload: ['default', 'default-raw', 'override', 'override-raw', 'filter'].map((name) => structure(`payload.${name}`)),
  plugins: [
    bool('plugins.enabled'),
    text('plugins.dir'),
    structure('plugins.store-sources'),
    structure('plugins.store-auth'),
    structure('plugins.configs'),
  ],
};

export const FIELDS: readonly Field[] = SECTIONS.flatMap((section) =>
  section === 'clients'
    ? []
    : TABLE[section].map(({ name, ...rest }) => ({ ...rest, section, path: name.split('.') }) as Field),
);

export const fieldId = ({ path }: Field): string => path.join('.');

const BY_ID = new Map(FIELDS.map((field) => [fieldId(field), field]));
export const fieldOf = (id: string): Field | undefined => BY_ID.get(id);

/** The value of a field as the gateway reads it. */
export type FieldValue =
  | { readonly state: 'unset' }
  | { readonly state: 'set'; readonly value: ConfigValue }
  /** Of another type than the gateway accepts; it may still be replaced. */
  | { readonly state: 'invalid'; readonly value: ConfigValue };

const TRUE = /^(?:y|yes|true|on)$/i;
const FALSE = /^(?:n|no|false|off)$/i;
const STRATEGIES: Readonly<Record<string, string>> = {
  '': 'round-robin',
  roundrobin: 'round-robin',
  rr: 'round-robin',
  weightedroundrobin: 'weighted-round-robin',
  wrr: 'weighted-round-robin',
  fillfirst: 'fill-first',
  ff: 'fill-first',
};

export function readField(values: ConfigObject, field: Field): FieldValue {
  const value = valueAt(values, field.path);
  if (value === undefined || value === null) return { state: 'unset' };
  const accepted = acceptedValue(field, value);
  return accepted === undefined ? { state: 'invalid', value } : { state: 'set', value: accepted };
}

function acceptedValue(field: Field, value: ConfigValue): ConfigValue | undefined {
  switch (field.kind) {
    case 'boolean':
      return booleanOf(value);
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value) && value >= field.min && value <= field.max
        ? value
        : undefined;
    case 'text':
    case 'secret':
      // The gateway reads a number where a text is expected.
      return typeof value === 'string' ? value : isObject(value) || isList(value) ? undefined : String(value);
    case 'choice': {
      const spelled = typeof value === 'string' ? value.trim().toLowerCase() : value;
      const known = typeof spelled === 'string' ? (STRATEGIES[spelled] ?? spelled) : spelled;
      return field.choices.find((choice) => choice === known || choice === booleanOf(value));
    }
    case 'structure':
      return value;
  }
}

function booleanOf(value: ConfigValue): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  if (TRUE.test(value)) return true;
  return FALSE.test(value) ? false : undefined;
}

/** What the gateway uses where a field is not set; null = nothing, or unknown. */
export function fallbackOf(field: Field): ConfigValue {
  return 'fallback' in field ? field.fallback : null;
}
