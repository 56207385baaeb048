import type { JsonObject } from '../json.ts';
import type { OtherAccountSpec, WindowView } from './account-types.ts';
import { type AccountModel, type ApiCallRequest, jsonAnswer, textAnswer } from './answer.ts';
import type { ApiCallAnswer } from './api-call-types.ts';
import { createWindow, FIVE_HOURS, WEEK } from './windows.ts';

interface Windows {
  readonly primary: WindowView;
  readonly secondary: WindowView;
}

/** Accounts of providers that only answer requests about their windows. */
export function otherAccount(spec: OtherAccountSpec, setAtMs: number): AccountModel {
  const primary = createWindow(spec.primary ?? { usedPercent: 20 }, setAtMs, FIVE_HOURS);
  const secondary = createWindow(spec.secondary ?? { usedPercent: 10 }, setAtMs, WEEK);
  const plan = spec.plan ?? '';
  const windows = (nowMs: number): Windows => ({ primary: primary.view(nowMs), secondary: secondary.view(nowMs) });
  return {
    state: spec.state ?? 'healthy',
    plan,
    resetCredits: () => 0,
    windows,
    answer(request, nowMs) {
      const body = BODIES[spec.provider](request, windows(nowMs), plan);
      if (body === null) return null;
      if (spec.state === 'revoked') return refusal(spec.provider);
      return spec.state === 'unavailable' ? textAnswer(503, 'upstream connect error') : jsonAnswer(200, body);
    },
  };
}

function refusal(provider: OtherAccountSpec['provider']): ApiCallAnswer {
  if (provider !== 'claude') return jsonAnswer(401, { error: { code: 401, status: 'UNAUTHENTICATED' } });
  const error = { type: 'authentication_error', message: 'sim: oauth token has been revoked' };
  return jsonAnswer(401, { type: 'error', error });
}

type Body = (request: ApiCallRequest, windows: Windows, plan: string) => JsonObject | null;

const BODIES: Readonly<Record<OtherAccountSpec['provider'], Body>> = {
  claude: ({ url }, windows, plan) => {
    if (url === 'https://api.anthropic.com/api/oauth/usage') return claudeUsage(windows);
    if (url !== 'https://api.anthropic.com/api/oauth/profile') return null;
    return {
      account: { uuid: SIM_UUID, has_claude_max: plan === 'max', has_claude_pro: plan === 'pro' },
      organization: { uuid: SIM_UUID, organization_type: `claude_${plan === '' ? 'free' : plan}` },
    };
  },
  antigravity: ({ url, method }, windows, plan) => {
    const call = /^https:\/\/[a-z-]*cloudcode-pa[a-z.-]*\.googleapis\.com\/v1internal:(\w+)$/.exec(url)?.[1];
    if (call === undefined || method !== 'POST') return null;
    if (call === 'retrieveUserQuotaSummary') return antigravityQuota(windows);
    if (call === 'loadCodeAssist') return { currentTier: { id: plan === '' ? 'free-tier' : plan } };
    return call === 'fetchAvailableModels' ? antigravityModels(windows) : null;
  },
  kimi: ({ url }, windows) => (url === 'https://api.kimi.com/coding/v1/usages' ? kimiUsage(windows) : null),
};

const SIM_UUID = 'aaaaaaaa-0000-4000-8000-000000000001';

function claudeUsage({ primary, secondary }: Windows): JsonObject {
  const shown = (window: WindowView): JsonObject => ({
    utilization: window.usedPercent,
    resets_at: isoText(window.resetAtMs),
  });
  return {
    five_hour: shown(primary),
    seven_day: shown(secondary),
    seven_day_opus: null,
    seven_day_sonnet: shown(secondary),
    extra_usage: { is_enabled: false, monthly_limit: 0, used_credits: 0, utilization: null },
  };
}

function antigravityQuota({ primary, secondary }: Windows): JsonObject {
  const bucket = (id: string, window: string, view: WindowView): JsonObject => ({
    bucketId: id,
    displayName: window,
    window,
    remainingFraction: remaining(view),
    resetTime: isoText(view.resetAtMs),
  });
  const buckets = [bucket('sim-5h', '5h', primary), bucket('sim-7d', '7d', secondary)];
  return { groups: [{ displayName: 'Gemini', buckets }] };
}

function antigravityModels({ primary }: Windows): JsonObject {
  const quotaInfo = { remainingFraction: remaining(primary), resetTime: isoText(primary.resetAtMs) };
  return { models: { 'gemini-3-pro': { displayName: 'Gemini 3 Pro', quotaInfo } } };
}

function kimiUsage({ primary, secondary }: Windows): JsonObject {
  const detail = (view: WindowView, limit: number): JsonObject => {
    const used = Math.round((limit * (view.usedPercent ?? 0)) / 100);
    const counts = { used: String(used), limit: String(limit), remaining: String(limit - used) };
    return { ...counts, resetTime: isoText(view.resetAtMs) };
  };
  const window = { duration: 300, timeUnit: 'TIME_UNIT_MINUTE' };
  return { usage: detail(secondary, 1000), limits: [{ window, detail: detail(primary, 200) }] };
}

function remaining(view: WindowView): number {
  return Math.round(100 - (view.usedPercent ?? 0)) / 100;
}

function isoText(ms: number): string {
  return new Date(ms).toISOString();
}
