import type { JsonObject } from '../json.ts';
import { authIndexOfFile } from '../management/auth-index.ts';
import { createRandom } from '../random.ts';
import type { AccountSpec } from './account-types.ts';
import type { AuthFileSpec } from './auth-file-spec.ts';
import { accountIdOf, type IdTokenForm, idTokenOf, jwtOf } from './id-token.ts';

/** Any provider name; those with an account model answer api-calls themselves. */
export type AccountProvider =
  | 'codex'
  | 'xai'
  | 'claude'
  | 'gemini-cli'
  | 'antigravity'
  | 'kimi'
  | 'gemini'
  | 'vertex'
  | (string & {});

export interface AccountFileOptions {
  readonly provider: AccountProvider;
  /** Default `<provider>-<email>.json`. */
  readonly name?: string;
  /** Runtime id; default the file name. */
  readonly id?: string;
  readonly email?: string;
  readonly plan?: string;
  /** Default: derived from the e-mail address. '' = not listed. */
  readonly accountId?: string;
  readonly projectId?: string;
  readonly disabled?: boolean;
  readonly virtual?: boolean;
  /** Codex and xAI; default `object`. */
  readonly idToken?: IdTokenForm;
  /** Place in the row; default `top`. */
  readonly idTokenIn?: 'top' | 'metadata' | 'attributes';
  /** Members of the list row that override the computed ones. */
  readonly row?: JsonObject;
  /** Differences from a healthy account. */
  readonly account?: Partial<AccountSpec>;
}

const PLANS: Readonly<Record<string, string>> = { codex: 'plus', claude: 'max' };

/** One auth file with a synthetic provider account behind it. */
export function accountFile(options: AccountFileOptions): AuthFileSpec {
  const { provider } = options;
  const email = options.email ?? `${provider}@example.test`;
  const name = options.name ?? `${provider}-${email}.json`;
  const id = options.id ?? name;
  const plan = options.plan ?? PLANS[provider] ?? '';
  const accountId = options.accountId ?? accountIdOf(`${provider}:${email}`);
  const claims = claimsOf(provider, email, plan, accountId);
  const token = idTokenOf(claims, options.idToken ?? 'object');
  const hasToken = provider === 'codex' || provider === 'xai';
  const place = options.idTokenIn ?? 'top';
  const identity: JsonObject =
    !hasToken || token === null ? {} : place === 'top' ? { id_token: token } : { [place]: { id_token: token } };
  const account = accountOf(provider, { plan, accountId, ...options.account } as Partial<AccountSpec>);
  const content: JsonObject = {
    type: provider,
    email,
    access_token: `sim-access-token-${id}`,
    refresh_token: `sim-refresh-token-${id}`,
    ...(hasToken ? { id_token: jwtOf(claims) } : {}),
    ...(accountId === '' ? {} : { account_id: accountId }),
    ...(options.disabled === true ? { disabled: true } : {}),
  };
  return {
    name,
    id,
    type: provider,
    email,
    authIndex: authIndexOfFile(provider, id === name ? name : `${name}#${id}`),
    ...(options.projectId === undefined ? {} : { projectId: options.projectId }),
    ...(options.disabled === undefined ? {} : { disabled: options.disabled }),
    ...(options.virtual === undefined ? {} : { virtual: options.virtual }),
    row: { ...identity, ...options.row },
    content,
    ...(account === null ? {} : { account }),
  };
}

function claimsOf(provider: string, email: string, plan: string, accountId: string): JsonObject {
  if (provider !== 'codex') return { sub: accountId, email };
  return {
    ...(accountId === '' ? {} : { chatgpt_account_id: accountId }),
    ...(plan === '' ? {} : { plan_type: plan }),
  };
}

function accountOf(provider: string, changes: Partial<AccountSpec>): AccountSpec | null {
  const known = ['codex', 'xai', 'claude', 'antigravity', 'kimi'].includes(provider);
  return known ? ({ ...changes, provider } as AccountSpec) : null;
}

export interface MakeAccountFilesOptions {
  readonly seed?: number;
  /** Changes of the n-th account of a provider, counting from 0. */
  readonly each?: (provider: string, index: number) => Omit<AccountFileOptions, 'provider'>;
}

/** This many accounts of each provider, for the `authFiles` option; addresses and use differ by the seed. */
export function makeAccountFiles(
  counts: Readonly<Record<string, number>>,
  options: MakeAccountFilesOptions = {},
): AuthFileSpec[] {
  const random = createRandom(options.seed ?? 1);
  return Object.entries(counts).flatMap(([provider, count]) =>
    Array.from({ length: count }, (_, index) => {
      const email = `${provider}-${String(index + 1).padStart(4, '0')}-${random.hex(4)}@example.test`;
      const account = {
        primary: { usedPercent: random.integer(0, 80) },
        secondary: { usedPercent: random.integer(0, 80) },
        weekly: { usedPercent: random.integer(0, 80) },
      };
      const changes = options.each?.(provider, index) ?? {};
      return accountFile({
        provider,
        email,
        name: `${email}.json`,
        ...changes,
        account: { ...account, ...changes.account },
      });
    }),
  );
}

export interface SharedFileOptions {
  readonly name: string;
  readonly provider: AccountProvider;
  /** Accounts besides the source row. */
  readonly children: number;
  /** The source row's id is the file name; default true. */
  readonly sourceRow?: boolean;
  /** The children come from a plugin and cannot be changed alone (409); default false. */
  readonly virtual?: boolean;
  /** Changes of the n-th row, counting from 0, the source row first. */
  readonly each?: (index: number) => Omit<AccountFileOptions, 'provider' | 'name' | 'id' | 'virtual'>;
}

/** Several accounts in one physical file. */
export function sharedFile(options: SharedFileOptions): AuthFileSpec[] {
  const { name, provider, children, sourceRow = true, virtual = false } = options;
  const stem = name.replace(/\.json$/, '');
  const rows = Array.from({ length: children + (sourceRow ? 1 : 0) }, (_, index) => {
    const isSource = sourceRow && index === 0;
    const number = sourceRow ? index : index + 1;
    return accountFile({
      provider,
      email: isSource ? `${stem}@example.test` : `${stem}-${number}@example.test`,
      projectId: isSource ? `${stem}-source` : `${stem}-project-${number}`,
      ...options.each?.(index),
      name,
      id: isSource ? name : `${stem}#${number}`,
      virtual: virtual && !isSource,
    });
  });
  return rows;
}
