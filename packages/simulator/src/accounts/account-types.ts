import type { JsonObject } from '../json.ts';
import type { ApiCallFailure } from './api-call-types.ts';

/** Initial state of a quota window; afterwards it moves with the simulator's clock. */
export interface WindowSpec {
  /** Length; null = unknown (answers omit it). */
  readonly seconds?: number | null;
  /** 0 to 100; null = unknown. */
  readonly usedPercent?: number | null;
  /** Seconds until it resets; default: half its length. */
  readonly resetsInSeconds?: number;
  /** Use added per hour, in later windows too; default 0. */
  readonly percentPerHour?: number;
}

/** How a Codex account answers all its requests. */
export type CodexState =
  | 'healthy'
  /** 401 with `token_revoked`. */
  | 'revoked'
  /** 401 with `token_expired`. */
  | 'expired'
  /** 401 without a body. */
  | 'unauthorized'
  /** 402 with `deactivated_workspace`. */
  | 'deactivated-workspace'
  /** 402 with another text. */
  | 'payment-required'
  /** 403 without quota text. */
  | 'forbidden'
  /** 429 without quota text. */
  | 'rate-limited'
  /** 500 and 503; no JSON. */
  | 'server-error'
  | 'unavailable'
  /** 200 with an object without limits. */
  | 'unrecognised';

export interface AdditionalLimit {
  readonly name?: string;
  readonly feature?: string;
  readonly primary?: WindowSpec | null;
  readonly secondary?: WindowSpec | null;
}

export interface CodexAccountSpec {
  readonly provider: 'codex';
  readonly state?: CodexState;
  /** Default `plus`. Plan `team` has a month as its second window. */
  readonly plan?: string;
  /** The account id a request must send in `Chatgpt-Account-Id`, if it sends one; others are answered 403. */
  readonly accountId?: string;
  /** Default: five hours, 20 % used. null = missing in the answer. */
  readonly primary?: WindowSpec | null;
  /** Default: a week (plan `team`: 30 days), 10 % used. */
  readonly secondary?: WindowSpec | null;
  readonly codeReview?: WindowSpec | null;
  readonly additional?: readonly AdditionalLimit[];
  /** Overrides the value computed from the windows: whether a window is full. */
  readonly limitReached?: boolean;
  readonly credits?: {
    readonly balance?: string;
    readonly unlimited?: boolean;
    readonly overageLimitReached?: boolean;
  };
  /** Credits that each reset the windows once; default 0. */
  readonly resetCredits?: number;
  /** Spelling of the members; default snake. */
  readonly spelling?: 'snake' | 'camel';
  /** Percentages as text, `"37%"`. */
  readonly percentAsText?: boolean;
}

/** How one of xAI's endpoints answers. */
export type XaiState =
  | 'healthy'
  /** 429 with `subscription:free-usage-exhausted`. */
  | 'free-usage-exhausted'
  /** 402, credits used up. */
  | 'spending-limit'
  /** 401 with `token_revoked`. */
  | 'revoked'
  /** 403 with `bad-credentials`. */
  | 'bad-credentials'
  /** 403, no subscription. */
  | 'not-entitled'
  /** 403 without a reason. */
  | 'forbidden'
  /** 403 by content policy. */
  | 'policy-denied'
  | 'rate-limited'
  /** 402 without a reason. */
  | 'payment-required'
  /** 400. */
  | 'invalid'
  /** 404. */
  | 'not-found'
  /** 426. */
  | 'outdated'
  /** 503; no JSON. */
  | 'unavailable'
  /** 200 with an unknown object. */
  | 'unrecognised';

export type XaiEndpoint = 'weekly' | 'monthly' | 'me' | 'responses';

export interface XaiAccountSpec {
  readonly provider: 'xai';
  /** For all endpoints missing in `endpoints`. */
  readonly state?: XaiState;
  readonly endpoints?: Readonly<Partial<Record<XaiEndpoint, XaiState>>>;
  /** Default: a week, 12.5 % used. null = no weekly data in the answer. */
  readonly weekly?: WindowSpec | null;
  /** Cents; null = no monthly data. Default: 450 of 3000. */
  readonly monthly?: {
    readonly limit?: number;
    readonly used?: number;
    readonly onDemandCap?: number;
    readonly onDemandUsed?: number;
  } | null;
  readonly products?: readonly { readonly product: string; readonly usedPercent: number }[];
  readonly userId?: string;
  readonly teamBlocked?: boolean;
  /** Tokens of the free allowance, for its error texts. */
  readonly freeUsage?: { readonly actual: number; readonly limit: number; readonly model?: string };
}

/** Providers the panel asks, with two windows each. */
export interface OtherAccountSpec {
  readonly provider: 'claude' | 'antigravity' | 'kimi';
  /** `revoked` answers 401, `unavailable` 503. */
  readonly state?: 'healthy' | 'revoked' | 'unavailable';
  readonly plan?: string;
  /** Default: five hours, 20 % used. */
  readonly primary?: WindowSpec;
  /** Default: a week, 10 % used. */
  readonly secondary?: WindowSpec;
}

export interface AccountCalls {
  /** Milliseconds of every api-call of the account; default: the general latency. */
  readonly latencyMs?: number;
  /** All its requests fail this way, whatever its state; null = no failure. */
  readonly failure?: ApiCallFailure | null;
}

/** The provider account behind an auth file's account; answers its api-calls. */
export type AccountSpec = (CodexAccountSpec | XaiAccountSpec | OtherAccountSpec) & AccountCalls;

/** Members to change; missing ones stay, and their windows continue. A named window starts at the given values. */
export type AccountChange = Partial<Omit<CodexAccountSpec, 'provider' | 'state'>> &
  Partial<Omit<XaiAccountSpec, 'provider' | 'state'>> &
  AccountCalls & { readonly state?: CodexState | XaiState };

export interface WindowView {
  readonly seconds: number | null;
  readonly usedPercent: number | null;
  readonly resetAtMs: number;
}

export interface AccountView {
  readonly provider: string;
  readonly authIndex: string;
  readonly state: string;
  readonly plan: string;
  readonly primary: WindowView | null;
  readonly secondary: WindowView | null;
  readonly resetCredits: number;
  readonly spec: JsonObject;
}
