import { createHash } from 'node:crypto';
import type { AuthFileSpec } from '../accounts/auth-file-spec.ts';
import type { JsonObject } from '../json.ts';
import { timeText } from '../management/auth-file-store.ts';
import { authIndexOfFile, authIndexOfKey } from '../management/auth-index.ts';
import { createRandom, type Random } from '../random.ts';

/** The permanent failure of an account. */
export type AccountTrouble = 'unauthorized' | 'usage-limit' | 'free-usage' | 'deactivated';

/** An account as events show it. */
export interface EventAccount {
  readonly provider: string;
  readonly executor: string;
  readonly authType: 'oauth' | 'apikey';
  readonly source: string;
  readonly authIndex: string;
  /** '' for configured keys, which have no file. */
  readonly fileName: string;
  readonly tokenHash: string;
  readonly plan: string;
  readonly models: readonly EventModel[];
  /** Share of the traffic, relative to the others. */
  readonly weight: number;
  readonly trouble: AccountTrouble | null;
}

export interface EventModel {
  readonly name: string;
  readonly alias: string;
  readonly endpoint: string;
}

interface Provider {
  readonly provider: string;
  readonly executor: string;
  readonly plans: readonly string[];
  readonly models: readonly EventModel[];
}

const RESPONSES = 'POST /v1/responses';
const MESSAGES = 'POST /v1/messages';
const CHAT = 'POST /v1/chat/completions';
const GEMINI = 'POST /v1beta/models/*action';

function model(name: string, endpoint: string, alias = name): EventModel {
  return { name, alias, endpoint };
}

const CODEX: Provider = {
  provider: 'codex',
  executor: 'CodexExecutor',
  plans: ['plus', 'pro', 'team', 'free'],
  models: [
    model('gpt-5.4', RESPONSES, 'gpt-5.4(high)'),
    model('gpt-5.4-mini', CHAT),
    model('gpt-5.3-codex', RESPONSES),
  ],
};
const CLAUDE: Provider = {
  provider: 'claude',
  executor: 'ClaudeExecutor',
  plans: ['max', 'pro'],
  models: [
    model('claude-sonnet-4-5-20250929', MESSAGES, 'cs45'),
    model('claude-opus-4-6', MESSAGES),
    model('claude-haiku-4-5-20251001', MESSAGES),
  ],
};
const PROVIDERS: readonly Provider[] = [
  CODEX,
  CLAUDE,
  CODEX,
  {
    provider: 'antigravity',
    executor: 'AntigravityExecutor',
    plans: [''],
    models: [model('gemini-3-pro', GEMINI), model('gemini-3-flash', GEMINI)],
  },
  CLAUDE,
  {
    provider: 'xai',
    executor: 'XAIExecutor',
    plans: [''],
    models: [model('grok-code-fast', CHAT), model('grok-4.1', CHAT)],
  },
  {
    provider: 'kimi',
    executor: 'KimiExecutor',
    plans: [''],
    models: [model('kimi-k2.5', CHAT), model('kimi-k2-thinking', CHAT)],
  },
];
const NORTHWIND: Provider = {
  provider: 'openai-compatible-northwind',
  executor: 'OpenAICompatExecutor',
  plans: [''],
  models: [model('northwind-large', CHAT, 'nw-large'), model('northwind-small', CHAT, 'nw-small')],
};

const NAMES = [
  'river',
  'amber',
  'stone',
  'lake',
  'grove',
  'cedar',
  'harbor',
  'meadow',
  'summit',
  'willow',
  'ember',
  'dune',
];

/** Accounts of several providers; the first ones carry most of the traffic, and every ninth is a configured key. */
export function makeAccounts(count: number, seed = 1): EventAccount[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const weight = 1 / (index + 1) ** 0.8;
    if (index % 9 === 8) return keyAccount(index, weight, random);
    return fileAccount(index, weight);
  });
}

function fileAccount(index: number, weight: number): EventAccount {
  const provider = PROVIDERS[index % PROVIDERS.length] ?? CODEX;
  const round = Math.floor(index / NAMES.length);
  const email = `${NAMES[index % NAMES.length] ?? 'account'}${round === 0 ? '' : `-${round}`}@example.test`;
  const plan = provider.plans[index % provider.plans.length] ?? '';
  const fileName = `${provider.provider}-${email}${plan === '' ? '' : `-${plan}`}.json`;
  return {
    provider: provider.provider,
    executor: provider.executor,
    authType: 'oauth',
    source: email,
    authIndex: authIndexOfFile(provider.provider, fileName),
    fileName,
    tokenHash: createHash('sha256').update(fileName).digest('hex'),
    plan,
    models: provider.models,
    weight,
    trouble: null,
  };
}

function keyAccount(index: number, weight: number, random: Random): EventAccount {
  // The first one is the key of the initial configuration.
  const key = index === 8 ? 'sim-provider-key-9000' : `sim-provider-key-${random.hex(8)}`;
  return {
    provider: NORTHWIND.provider,
    executor: NORTHWIND.executor,
    authType: 'apikey',
    source: key,
    authIndex: authIndexOfKey('openai-compatibility', { baseUrl: 'https://llm.example.test/v1', apiKey: key }),
    fileName: '',
    tokenHash: '',
    plan: '',
    models: NORTHWIND.models,
    weight,
    trouble: null,
  };
}

/** The event's view of an auth file that was not generated. */
export function eventAccountOf(file: {
  readonly type: string;
  readonly name: string;
  readonly source: string;
  readonly authIndex: string;
  readonly plan: string;
}): EventAccount {
  const { type, name: fileName, source, authIndex, plan } = file;
  const known = PROVIDERS.find(({ provider }) => provider === type);
  const executor = `${type.slice(0, 1).toUpperCase()}${type.slice(1)}Executor`;
  const { models } = known ?? { models: [model(`${type}-large`, CHAT)] };
  const tokenHash = createHash('sha256').update(fileName).digest('hex');
  const shared = { provider: type, executor: known?.executor ?? executor, authType: 'oauth' as const, models };
  return { ...shared, source, authIndex, fileName, tokenHash, plan, weight: 1, trouble: null };
}

/** Auth files of accounts, for the `authFiles` option. Configured keys have none. */
export function authFilesOf(accounts: readonly EventAccount[], nowMs: number): AuthFileSpec[] {
  return accounts
    .filter((account) => account.fileName !== '')
    .map((account) => ({
      name: account.fileName,
      type: account.provider,
      email: account.source,
      row: { ...troubleRow(account.trouble, nowMs), ...idToken(account) },
    }));
}

function idToken(account: EventAccount): JsonObject {
  if (account.provider !== 'codex') return {};
  const id = account.tokenHash;
  const accountId = `${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(13, 16)}-8${id.slice(17, 20)}-${id.slice(20, 32)}`;
  return { id_token: { chatgpt_account_id: accountId, plan_type: account.plan } };
}

function troubleRow(trouble: AccountTrouble | null, nowMs: number): JsonObject {
  if (trouble === null) return {};
  const hasCooldown = trouble === 'usage-limit' || trouble === 'free-usage';
  return {
    status: 'error',
    unavailable: true,
    status_message: hasCooldown ? 'quota exhausted' : 'unauthorized',
    ...(hasCooldown ? { next_retry_after: timeText(nowMs + 2 * 3_600_000) } : {}),
  };
}
