import type { JsonObject } from '../json.ts';
import type { XaiAccountSpec, XaiEndpoint, XaiState } from './account-types.ts';
import { type AccountModel, type ApiCallRequest, jsonAnswer, textAnswer } from './answer.ts';
import type { ApiCallAnswer } from './api-call-types.ts';
import { createWindow, WEEK } from './windows.ts';

const CLI = 'https://cli-chat-proxy.grok.com/v1';
const OFFICIAL = 'https://api.x.ai/v1';

const FAILURES: Readonly<Record<Exclude<XaiState, 'healthy' | 'free-usage-exhausted'>, ApiCallAnswer>> = {
  'spending-limit': jsonAnswer(402, {
    code: 'personal-team-blocked:spending-limit',
    error: 'sim: the team has run out of credits or reached its monthly spending limit',
  }),
  revoked: jsonAnswer(401, { code: 'token_revoked', error: 'sim: refresh token has been revoked' }),
  'bad-credentials': jsonAnswer(403, { code: 'unauthenticated:bad-credentials', error: 'sim: unknown token' }),
  'not-entitled': jsonAnswer(403, { error: 'sim: you need a Grok subscription to continue' }),
  forbidden: jsonAnswer(403, { error: 'Forbidden' }),
  'policy-denied': jsonAnswer(403, { error: 'sim: Failed check: SAFETY_CHECK' }),
  'rate-limited': jsonAnswer(429, { code: 'rate_limit', error: 'sim: slow down' }),
  'payment-required': jsonAnswer(402, { error: 'sim: a payment is due' }),
  invalid: jsonAnswer(400, { error: 'sim: bad payload' }),
  'not-found': jsonAnswer(404, { error: 'sim: no such model' }),
  outdated: jsonAnswer(426, { error: 'sim: update the client' }),
  unavailable: textAnswer(503, 'upstream connect error'),
  unrecognised: jsonAnswer(200, { hello: 'sim' }),
};

/** An xAI account: billing in two formats, identity, and inference. */
export function xaiAccount(spec: XaiAccountSpec, setAtMs: number): AccountModel {
  const { weekly = { usedPercent: 12.5 }, monthly = {} } = spec;
  const week = weekly === null ? null : createWindow(weekly, setAtMs, WEEK);

  function weeklyBody(nowMs: number): JsonObject {
    const products = spec.products ?? [];
    const config: JsonObject = {};
    if (week !== null) {
      const { resetAtMs, usedPercent, seconds } = week.view(nowMs);
      config.currentPeriod = {
        type: 'WEEKLY',
        start: new Date(resetAtMs - (seconds ?? WEEK) * 1000).toISOString(),
        end: new Date(resetAtMs).toISOString(),
      };
      if (usedPercent !== null) config.creditUsagePercent = usedPercent;
    }
    if (products.length > 0)
      config.productUsage = products.map(({ product, usedPercent }) => ({ product, usagePercent: usedPercent }));
    return { config };
  }

  function monthlyBody(nowMs: number): JsonObject {
    if (monthly === null) return { config: {} };
    const date = new Date(nowMs);
    const start = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
    const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
    return {
      config: {
        monthlyLimit: { val: monthly.limit ?? 3000 },
        used: { val: monthly.used ?? 450 },
        onDemandCap: { val: monthly.onDemandCap ?? 0 },
        onDemandUsed: { val: monthly.onDemandUsed ?? 0 },
        billingPeriodStart: new Date(start).toISOString(),
        billingPeriodEnd: new Date(end).toISOString(),
      },
    };
  }

  function healthy(endpoint: XaiEndpoint, nowMs: number, request: ApiCallRequest): ApiCallAnswer {
    switch (endpoint) {
      case 'weekly':
        return jsonAnswer(200, weeklyBody(nowMs));
      case 'monthly':
        return jsonAnswer(200, monthlyBody(nowMs));
      case 'me':
        return jsonAnswer(200, {
          user_id: spec.userId ?? 'sim-user',
          team_id: 'sim-team',
          team_blocked: spec.teamBlocked ?? false,
        });
      case 'responses':
        return jsonAnswer(200, {
          id: 'resp_sim_1',
          object: 'response',
          model: /"model"\s*:\s*"([^"]*)"/.exec(request.data)?.[1] ?? 'grok',
          status: 'completed',
          error: null,
          output: [
            { type: 'reasoning', summary: [] },
            { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'OK' }] },
          ],
        });
    }
  }

  return {
    state: spec.state ?? 'healthy',
    plan: '',
    resetCredits: () => 0,
    windows: (nowMs) => ({ primary: null, secondary: week?.view(nowMs) ?? null }),
    answer(request, nowMs) {
      const endpoint = endpointOf(request);
      if (endpoint === null) return null;
      const state = spec.endpoints?.[endpoint] ?? spec.state ?? 'healthy';
      if (state === 'healthy') return healthy(endpoint, nowMs, request);
      if (state === 'free-usage-exhausted') return jsonAnswer(429, freeUsageBody(spec.freeUsage));
      return FAILURES[state];
    },
  };
}

/** The error of an account whose free allowance is used up. */
export function freeUsageBody(usage: XaiAccountSpec['freeUsage']): JsonObject {
  const { actual, limit, model = 'grok-code-fast' } = usage ?? { actual: 1_000_350, limit: 1_000_000 };
  const prose = `sim: you have used all the included free usage for model ${model} (rolling 24 h); tokens (actual/limit): ${actual}/${limit}`;
  return { code: 'subscription:free-usage-exhausted', error: prose };
}

function endpointOf({ method, url }: ApiCallRequest): XaiEndpoint | null {
  if (method === 'POST') return url.endsWith('/responses') ? 'responses' : null;
  if (url === `${CLI}/billing?format=credits`) return 'weekly';
  if (url === `${CLI}/billing`) return 'monthly';
  return url === `${OFFICIAL}/me` ? 'me' : null;
}
