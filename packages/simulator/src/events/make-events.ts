import type { JsonObject } from '../json.ts';
import { encodeEvent } from '../payload.ts';
import { createRandom, type Random, weightedPicker } from '../random.ts';
import type { GeneratedEvent } from '../types.ts';
import { type EventAccount, type EventModel, makeAccounts } from './accounts.ts';
import { type Failure, failureOf, passingFailure } from './failures.ts';
import { responseHeaders } from './headers.ts';
import { breakdownOf, familyOf, NO_TOKENS, randomBuckets, type TokenBuckets, tokensOf } from './tokens.ts';

export interface MakeEventsOptions {
  /** Same seed, same events. */
  readonly seed?: number;
  /** Accounts, or their number; default 12. */
  readonly accounts?: readonly EventAccount[] | number;
  /** Client keys; default `sim-client-key-0001` to `-0006`. */
  readonly clientKeys?: readonly string[];
  /** When attempts end; default: the machine's clock. */
  readonly now?: () => number;
  /** Numbers the events from here: the number is the `request_id`, as 8 hex digits. Retries then have their own ids. */
  readonly numberFrom?: number;
  /** Share of attempts that fail by chance; default 0.03. Accounts with problems always fail. */
  readonly failureRate?: number;
}

/** Endless and iterable. */
export interface EventGenerator extends IterableIterator<GeneratedEvent> {
  next(): IteratorYieldResult<GeneratedEvent>;
  take(count: number): GeneratedEvent[];
}

const DEFAULT_KEYS = ['0001', '0002', '0003', '0004', '0005', '0006'].map((digits) => `sim-client-key-${digits}`);
const AGENTS = ['sim-codex-client/1.0 (Linux)', 'sim-claude-client/1.0', 'sim-client/1.0', 'sim-editor/2.3 (macOS)'];
const EFFORTS = ['', 'low', 'medium', 'high', 'xhigh'];

/** One attempt before it is encoded as an event. */
interface Attempt {
  readonly account: EventAccount;
  readonly model: EventModel;
  readonly requestId: string;
  readonly clientKey: string;
  readonly isStream: boolean;
  readonly effort: string;
}

/**
 * Realistic full events of v7.2.140: traffic skewed over accounts, models and client keys, streaming latencies, cached prompts,
 * failures of every recognized kind, retries that share a request id.
 */
export function makeEvents(options: MakeEventsOptions = {}): EventGenerator {
  const random = createRandom(options.seed ?? 1);
  const given = options.accounts ?? 12;
  const accounts = typeof given === 'number' ? makeAccounts(given, options.seed ?? 1) : given;
  const keys = options.clientKeys ?? DEFAULT_KEYS;
  const now = options.now ?? Date.now;
  const failureRate = options.failureRate ?? 0.03;
  const pickAccount = weightedPicker(accounts.map((account) => account.weight));
  const pickKey = weightedPicker(keys.map((_, index) => 1 / (index + 1)));
  let number = options.numberFrom ?? null;
  let retry: Attempt | null = null;

  function newAttempt(account: EventAccount, requestId: string, clientKey: string): Attempt {
    const roll = random.next();
    const index = roll < 0.65 ? 0 : roll < 0.9 ? 1 : 2;
    const model = account.models[index % account.models.length] ?? { name: 'unknown', alias: 'unknown', endpoint: '' };
    const effort = EFFORTS[random.integer(0, EFFORTS.length - 1)] ?? '';
    return { account, model, requestId, clientKey, isStream: random.chance(0.8), effort };
  }

  function anyAccount(): EventAccount {
    const account = accounts[pickAccount(random)] ?? accounts[0];
    if (account === undefined) throw new Error('events need at least one account');
    return account;
  }

  function nextAttempt(): Attempt {
    if (number !== null) {
      const requestId = number.toString(16).padStart(8, '0');
      return newAttempt(anyAccount(), requestId, keys[pickKey(random)] ?? '');
    }
    const waiting = retry;
    retry = null;
    return waiting ?? newAttempt(anyAccount(), random.hex(8), keys[pickKey(random)] ?? '');
  }

  function next(): IteratorYieldResult<GeneratedEvent> {
    const endMs = now();
    const attempt = nextAttempt();
    const { account } = attempt;
    const isUnlucky = random.chance(failureRate);
    const failure = failureOf(account, endMs) ?? (isUnlucky ? passingFailure(account, random, endMs) : null);
    if (failure?.isRetried === true && number === null && accounts.length > 1)
      retry = newAttempt(anyAccount(), attempt.requestId, attempt.clientKey);
    const event = writeEvent(attempt, failure, random, endMs);
    const result: GeneratedEvent = {
      text: encodeEvent(event.json),
      timestampMs: event.startMs,
      authIndex: account.authIndex,
      failed: failure !== null,
      ...(number === null ? {} : { number }),
    };
    if (number !== null) number += 1;
    return { done: false, value: result };
  }

  return {
    next,
    take: (count) => Array.from({ length: count }, () => next().value),
    [Symbol.iterator]() {
      return this;
    },
  };
}

function writeEvent(
  attempt: Attempt,
  failure: Failure | null,
  random: Random,
  endMs: number,
): { json: JsonObject; startMs: number } {
  const { account, model, effort } = attempt;
  const family = familyOf(account.provider);
  const hasTokens = failure === null || failure.status === 499;
  const buckets: TokenBuckets = hasTokens ? randomBuckets(random, family, effort !== '') : NO_TOKENS;
  const output = buckets.visible + buckets.reasoning;
  // 60 to 120 tokens a second after the first one.
  const ttftMs = hasTokens ? Math.round(random.skewed(650 + buckets.uncached / 40, 0.5)) : 0;
  const latencyMs = hasTokens
    ? ttftMs + Math.round((output * 1000) / random.integer(60, 120))
    : random.integer(80, 900);
  const startMs = endMs - latencyMs;
  const nanoseconds = String(random.integer(1, 999_999)).padStart(6, '0');
  const headers = failure === null ? responseHeaders(account, random, endMs, attempt.isStream) : { ...failure.headers };
  const host = random.integer(1, 40);
  const json: JsonObject = {
    timestamp: `${new Date(startMs).toISOString().slice(0, 23)}${nanoseconds}Z`,
    latency_ms: latencyMs,
    ttft_ms: attempt.isStream || !hasTokens ? ttftMs : latencyMs,
    source: account.source,
    auth_index: account.authIndex,
  };
  if (account.tokenHash !== '') json.access_token_sha256 = account.tokenHash;
  Object.assign(json, {
    client_ip: `203.0.113.${host}`,
    x_forwarded_for: random.chance(0.3) ? `198.51.100.${host}, 203.0.113.${host}` : '',
    user_agent: AGENTS[host % AGENTS.length],
    tokens: tokensOf(buckets, family),
    failed: failure !== null,
    generate: true,
    fail: { status_code: failure?.status ?? 200, body: failure?.body ?? '' },
  });
  if (Object.keys(headers).length > 0) json.response_headers = headers;
  const isPriority = account.provider === 'codex' && random.chance(0.05);
  Object.assign(json, {
    accounting_version: 2,
    token_breakdown: breakdownOf(buckets),
    provider: account.provider,
    executor_type: account.executor,
    model: model.name,
    alias: model.alias,
    endpoint: model.endpoint,
    auth_type: account.authType,
    api_key: attempt.clientKey,
    request_id: attempt.requestId,
    reasoning_effort: effort,
    service_tier: isPriority ? 'priority' : 'auto',
  });
  if (account.provider === 'codex' && failure === null)
    json.response_service_tier = isPriority ? 'priority' : 'default';
  return { json, startMs };
}
