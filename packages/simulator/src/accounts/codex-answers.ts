import type { JsonObject, JsonValue } from '../json.ts';
import type { AdditionalLimit, CodexAccountSpec, CodexState, WindowSpec, WindowView } from './account-types.ts';
import { type AccountModel, type ApiCallRequest, jsonAnswer, textAnswer } from './answer.ts';
import type { ApiCallAnswer } from './api-call-types.ts';
import { createWindow, FIVE_HOURS, isFull, MONTH, type QuotaWindow, WEEK } from './windows.ts';

const USAGE = 'https://chatgpt.com/backend-api/wham/usage';
const CREDITS = 'https://chatgpt.com/backend-api/wham/rate-limit-reset-credits';
const DAY_MS = 86_400_000;

const FAILURES: Readonly<Record<Exclude<CodexState, 'healthy'>, ApiCallAnswer>> = {
  revoked: jsonAnswer(401, {
    error: { message: 'sim: oauth token revoked', type: 'authentication_error', code: 'token_revoked' },
    status: 401,
  }),
  expired: jsonAnswer(401, {
    error: { message: 'sim: token is past its lifetime', type: null, code: 'token_expired', param: null },
    status: 401,
  }),
  unauthorized: textAnswer(401, ''),
  'deactivated-workspace': jsonAnswer(402, { detail: { code: 'deactivated_workspace' } }),
  'payment-required': jsonAnswer(402, { detail: 'sim: a payment is due' }),
  forbidden: jsonAnswer(403, { detail: 'sim: not here' }),
  'rate-limited': jsonAnswer(429, { detail: 'sim: too many requests' }),
  'server-error': textAnswer(500, 'sim: internal error'),
  unavailable: textAnswer(503, 'upstream connect error or disconnect/reset before headers'),
  unrecognised: jsonAnswer(200, { hello: 'sim' }),
};

interface Limit {
  readonly primary: QuotaWindow | null;
  readonly secondary: QuotaWindow | null;
}

/** A Codex account: usage, reset credits and their consumption. */
export function codexAccount(spec: CodexAccountSpec, setAtMs: number): AccountModel {
  const { plan = 'plus', accountId = '' } = spec;
  let main: Limit = limitOf(spec, setAtMs, plan);
  const codeReview =
    spec.codeReview === undefined || spec.codeReview === null
      ? null
      : { primary: windowOf(spec.codeReview, setAtMs, WEEK), secondary: null };
  const additional = (spec.additional ?? []).map((limit) => ({ limit, windows: additionalOf(limit, setAtMs) }));
  const redeemed = new Set<string>();
  let credits = spec.resetCredits ?? 0;

  function usage(nowMs: number): JsonObject {
    const spell = (value: JsonValue): JsonValue => (spec.spelling === 'camel' ? camel(value) : value);
    const body: JsonObject = { user_id: 'user-sim', account_id: accountId, plan_type: plan };
    body.rate_limit = limitBody(main, nowMs, spec);
    if (codeReview !== null) body.code_review_rate_limit = limitBody(codeReview, nowMs, spec);
    if (spec.additional !== undefined)
      body.additional_rate_limits = additional.map(({ limit, windows }) => ({
        ...(limit.name === undefined ? {} : { limit_name: limit.name }),
        ...(limit.feature === undefined ? {} : { metered_feature: limit.feature }),
        rate_limit: limitBody(windows, nowMs, { ...spec, limitReached: undefined }),
      }));
    const { balance = '0', unlimited = false, overageLimitReached } = spec.credits ?? {};
    body.credits = {
      has_credits: unlimited || Number(balance) > 0,
      unlimited,
      balance,
      ...(overageLimitReached === undefined ? {} : { overage_limit_reached: overageLimitReached }),
    };
    body.rate_limit_reset_credits = { available_count: credits };
    return spell(body) as JsonObject;
  }

  function creditList(nowMs: number): JsonObject {
    const list = Array.from({ length: credits }, (_, index) => ({
      id: `rc_sim_${index + 1}`,
      reset_type: 'codex_rate_limits',
      status: 'available',
      granted_at: new Date(setAtMs - 10 * DAY_MS).toISOString(),
      expires_at: new Date(Math.max(setAtMs, nowMs) + (20 + index) * DAY_MS).toISOString(),
    }));
    return { available_count: credits, credits: list };
  }

  function consume(data: string, nowMs: number): ApiCallAnswer {
    const request = /"redeem_request_id"\s*:\s*"([^"]+)"/.exec(data)?.[1] ?? '';
    if (request === '') return jsonAnswer(400, { error: { code: 'invalid_request', message: 'sim: no request id' } });
    // The same request again is the same redemption.
    if (redeemed.has(request)) return jsonAnswer(200, { status: 'redeemed', available_count: credits });
    if (credits === 0) return jsonAnswer(409, { error: { code: 'no_credit', message: 'sim: no reset credit left' } });
    redeemed.add(request);
    credits -= 1;
    main = {
      primary: spec.primary === null ? null : windowOf({ ...spec.primary, ...EMPTY }, nowMs, FIVE_HOURS),
      secondary:
        spec.secondary === null ? null : windowOf({ ...spec.secondary, ...EMPTY }, nowMs, longWindowSeconds(plan)),
    };
    return jsonAnswer(200, { status: 'redeemed', available_count: credits });
  }

  return {
    state: spec.state ?? 'healthy',
    plan,
    resetCredits: () => credits,
    windows: (nowMs) => ({
      primary: main.primary?.view(nowMs) ?? null,
      secondary: main.secondary?.view(nowMs) ?? null,
    }),
    answer(request, nowMs) {
      const isKnown = request.url === USAGE || request.url === CREDITS || request.url === `${CREDITS}/consume`;
      if (!isKnown) return null;
      if (spec.state !== undefined && spec.state !== 'healthy') return FAILURES[spec.state];
      const named = accountNamed(request);
      if (named !== '' && accountId !== '' && named !== accountId)
        return jsonAnswer(403, { detail: 'sim: the token belongs to another account' });
      if (request.url === USAGE) return jsonAnswer(200, usage(nowMs));
      return request.method === 'POST' ? consume(request.data, nowMs) : jsonAnswer(200, creditList(nowMs));
    },
  };
}

const EMPTY = { usedPercent: 0, resetsInSeconds: undefined } as const;

function accountNamed(request: ApiCallRequest): string {
  return request.headers['chatgpt-account-id'] ?? '';
}

/** Length of the long window. */
function longWindowSeconds(plan: string): number {
  return plan === 'team' ? MONTH : WEEK;
}

function limitOf(spec: CodexAccountSpec, setAtMs: number, plan: string): Limit {
  const { primary = { usedPercent: 20 }, secondary = { usedPercent: 10 } } = spec;
  return {
    primary: primary === null ? null : windowOf(primary, setAtMs, FIVE_HOURS),
    secondary: secondary === null ? null : windowOf(secondary, setAtMs, longWindowSeconds(plan)),
  };
}

function additionalOf(limit: AdditionalLimit, setAtMs: number): Limit {
  const { primary, secondary } = limit;
  return {
    primary: primary === undefined || primary === null ? null : windowOf(primary, setAtMs, FIVE_HOURS),
    secondary: secondary === undefined || secondary === null ? null : windowOf(secondary, setAtMs, WEEK),
  };
}

function windowOf(
  { resetsInSeconds, ...rest }: Omit<WindowSpec, 'resetsInSeconds'> & { readonly resetsInSeconds?: number | undefined },
  setAtMs: number,
  seconds: number,
): QuotaWindow {
  return createWindow({ ...rest, ...(resetsInSeconds === undefined ? {} : { resetsInSeconds }) }, setAtMs, seconds);
}

type Form = Pick<CodexAccountSpec, 'percentAsText'> & { readonly limitReached?: boolean | undefined };

function limitBody(limit: Limit, nowMs: number, form: Form): JsonObject {
  const primary = limit.primary?.view(nowMs) ?? null;
  const secondary = limit.secondary?.view(nowMs) ?? null;
  const reached = form.limitReached ?? (isFull(primary) || isFull(secondary));
  return {
    allowed: !reached,
    limit_reached: reached,
    primary_window: windowBody(primary, nowMs, form),
    secondary_window: windowBody(secondary, nowMs, form),
  };
}

function windowBody(window: WindowView | null, nowMs: number, form: Form): JsonObject | null {
  if (window === null) return null;
  const percent = window.usedPercent;
  return {
    ...(percent === null ? {} : { used_percent: form.percentAsText === true ? `${percent}%` : percent }),
    ...(window.seconds === null ? {} : { limit_window_seconds: window.seconds }),
    reset_after_seconds: Math.ceil((window.resetAtMs - nowMs) / 1000),
    reset_at: Math.floor(window.resetAtMs / 1000),
  };
}

function camel(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(camel);
  if (typeof value !== 'object' || value === null) return value;
  const renamed: JsonObject = {};
  for (const [name, member] of Object.entries(value))
    renamed[name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())] = camel(member);
  return renamed;
}
