import type { Random } from '../random.ts';
import type { EventAccount } from './accounts.ts';

/** How an attempt failed; the forms that consumers of the gateway recognize. */
export interface Failure {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string[]>>;
  /** The client repeated the request and another account answered. */
  readonly isRetried: boolean;
}

const NO_HEADERS: Readonly<Record<string, string[]>> = {};

/** The permanent failure of an account with problems. */
export function failureOf(account: EventAccount, atMs: number): Failure | null {
  switch (account.trouble) {
    case 'unauthorized':
      return unauthorized();
    case 'usage-limit':
      return usageLimit(account.plan, atMs);
    case 'free-usage':
      return freeUsage(account.models[0]?.name ?? 'grok');
    case 'deactivated':
      return { status: 402, body: '{"detail":{"code":"deactivated_workspace"}}', headers: NO_HEADERS, isRetried: true };
    default:
      return null;
  }
}

/** One of the failures that any account has now and then. */
export function passingFailure(account: EventAccount, random: Random, atMs: number): Failure {
  const roll = random.next();
  if (roll < 0.4)
    return {
      status: 503,
      body: 'upstream connect error or disconnect/reset before headers',
      headers: NO_HEADERS,
      isRetried: true,
    };
  if (roll < 0.6) return { status: 499, body: 'context canceled', headers: NO_HEADERS, isRetried: false };
  if (roll < 0.72) return overloaded(account.provider);
  if (roll < 0.82) return { status: 504, body: 'context deadline exceeded', headers: NO_HEADERS, isRetried: true };
  if (roll < 0.92) {
    const body = '{"error":{"message":"sim: input exceeds the context window","code":"context_too_large"}}';
    return { status: 400, body, headers: NO_HEADERS, isRetried: false };
  }
  return account.provider === 'codex' ? usageLimit(account.plan, atMs) : overloaded(account.provider);
}

function unauthorized(): Failure {
  const body =
    '{"error":{"message":"sim: credential no longer valid","type":"authentication_error","code":"auth_unavailable"}}';
  const headers = {
    'X-Openai-Ide-Error-Code': ['token_invalidated'],
    'X-Openai-Ide-Root-Error-Code': ['token_revoked'],
  };
  return { status: 401, body, headers, isRetried: true };
}

function usageLimit(plan: string, atMs: number): Failure {
  const seconds = 7200;
  const resetsAt = Math.floor(atMs / 1000) + seconds;
  const body = `{"error":{"type":"usage_limit_reached","message":"sim: limit reached","plan_type":"${plan}","resets_at":${resetsAt},"resets_in_seconds":${seconds}}}`;
  const headers = { 'Retry-After': [String(seconds)], 'X-Codex-Rate-Limit-Reached-Type': ['primary'] };
  return { status: 429, body, headers, isRetried: true };
}

function freeUsage(modelName: string): Failure {
  const prose = `sim: included free usage for model ${modelName} is spent (rolling 24 h); tokens (actual/limit): 1000350/1000000`;
  const body = JSON.stringify({ code: 'subscription:free-usage-exhausted', error: prose });
  return { status: 429, body, headers: NO_HEADERS, isRetried: true };
}

function overloaded(provider: string): Failure {
  if (provider === 'claude') {
    const body = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';
    return { status: 529, body, headers: { 'X-Should-Retry': ['true'] }, isRetried: true };
  }
  const body = '{"error":{"message":"sim: model at capacity","type":"rate_limit_error"}}';
  return { status: 429, body, headers: { 'Retry-After': ['5'] }, isRetried: true };
}
