import { TOKEN_PLACEHOLDER } from '@manager/core/accounts/api-call';
import { booleanMember, numberMember, objectMember, textMember } from '@manager/core/accounts/provider-values';
import type { SnapshotWindowRequest } from '@manager/core/contract/quotas/snapshots';
import { isJsonObject, type JsonObject } from '@manager/core/json/json';
import type { Account } from '../../../platform/accounts/account.ts';
import { type Ask, answered } from './ask.ts';
import { fixedBoundary, instantOf, type ObservedQuota, slugOf, usedPercent } from './observed-windows.ts';

const FIVE_HOURS = 18_000;
const WEEK = 604_800;

/** Member of the answer → length, and what it covers if not the whole account. */
const WINDOWS: readonly (readonly [name: string, seconds: number | null, feature: string])[] = [
  ['five_hour', FIVE_HOURS, ''],
  ['seven_day', WEEK, ''],
  ['seven_day_oauth_apps', WEEK, 'oauth_apps'],
  ['seven_day_opus', WEEK, 'opus'],
  ['seven_day_sonnet', WEEK, 'sonnet'],
  ['seven_day_cowork', WEEK, 'cowork'],
  ['iguana_necktie', null, 'iguana_necktie'],
];

export async function askClaude(ask: Ask, { listed }: Account): Promise<ObservedQuota> {
  const question = (path: string) =>
    ask({
      authIndex: listed.authIndex,
      method: 'GET',
      url: `https://api.anthropic.com/api/oauth/${path}`,
      header: {
        Authorization: TOKEN_PLACEHOLDER,
        'Content-Type': 'application/json',
        'anthropic-beta': 'oauth-2025-04-20',
      },
    });
  const body = answered(await question('usage'));
  const profile = await question('profile');
  const plan = profile.kind === 'answered' && profile.json !== null ? claudePlan(profile.json) : '';
  return readClaudeUsage(body, plan || listed.planType);
}

function readClaudeUsage(body: JsonObject, plan: string): ObservedQuota {
  const planMember = plan === '' ? {} : { plan_type: plan };
  const windows = new Map<string, SnapshotWindowRequest>();
  for (const [name, seconds, feature] of WINDOWS) {
    const given = objectMember(body, name);
    const percent = given === null ? null : numberMember(given, 'utilization');
    if (given === null || percent === null) continue;
    const id = name.replaceAll('_', '-');
    windows.set(id, {
      ...windowOf(id, seconds, feature, percent, instantOf(textMember(given, 'resets_at'))),
      ...planMember,
    });
  }
  for (const window of listedLimits(body)) {
    // The named members are the older, more reliable form.
    if (!windows.has(window.provider_window_id)) windows.set(window.provider_window_id, { ...window, ...planMember });
  }
  const extra = extraUsage(body);
  const all = [...windows.values(), ...(extra === null ? [] : [{ ...extra, ...planMember }])];
  return { windows: all, complete: windows.has('five-hour') || windows.has('seven-day') };
}

function windowOf(
  id: string,
  seconds: number | null,
  feature: string,
  percent: number,
  endMs: number | null,
): SnapshotWindowRequest {
  return {
    provider_window_id: id,
    window_kind: seconds === FIVE_HOURS ? 'five_hour' : seconds === WEEK ? 'weekly' : 'unknown',
    ...(feature === '' ? { model_scope_kind: 'all' } : { model_scope_kind: 'feature', model_scope_key: feature }),
    ...fixedBoundary(endMs, seconds),
    ...usedPercent(percent),
  };
}

/** A later form: a list of limits, some of them of single models. */
function listedLimits(body: JsonObject): readonly SnapshotWindowRequest[] {
  const list = Array.isArray(body.limits) ? body.limits.filter(isJsonObject) : [];
  return list.flatMap((limit) => {
    const kind = (textMember(limit, 'kind') || textMember(limit, 'type')).toLowerCase();
    const percent = numberMember(limit, 'utilization') ?? numberMember(limit, 'percent');
    if (percent === null) return [];
    const endMs = instantOf(textMember(limit, 'resets_at'));
    const scope = objectMember(limit, 'scope') ?? {};
    const model = objectMember(scope, 'model') ?? {};
    const name = textMember(model, 'display_name') || textMember(model, 'id') || textMember(scope, 'model');
    if (name !== '') {
      const slug = slugOf(name);
      return [windowOf(`weekly-scoped-${slug}`, WEEK, slug.replaceAll('-', '_'), percent, endMs)];
    }
    if (/session|five|5h/.test(kind)) return [windowOf('five-hour', FIVE_HOURS, '', percent, endMs)];
    return /week|seven|7d/.test(kind) ? [windowOf('seven-day', WEEK, '', percent, endMs)] : [];
  });
}

function extraUsage(body: JsonObject): SnapshotWindowRequest | null {
  const extra = objectMember(body, 'extra_usage');
  if (extra === null || booleanMember(extra, 'is_enabled') !== true) return null;
  const used = numberMember(extra, 'used_credits');
  const limit = numberMember(extra, 'monthly_limit');
  return {
    provider_window_id: 'extra-usage',
    window_kind: 'monthly',
    window_mode: 'unknown',
    model_scope_kind: 'product',
    model_scope_key: 'extra_usage',
    boundary_accuracy: 'unknown',
    ...usedPercent(numberMember(extra, 'utilization')),
    ...(used !== null && used >= 0 ? { used_value: used } : {}),
    ...(limit !== null && limit > 0 ? { limit_value: limit } : {}),
    quota_unit: 'credits',
  };
}

function claudePlan(profile: JsonObject): string {
  const account = objectMember(profile, 'account') ?? {};
  if (booleanMember(account, 'has_claude_max') === true) return 'max';
  if (booleanMember(account, 'has_claude_pro') === true) return 'pro';
  const organization = objectMember(profile, 'organization') ?? {};
  return textMember(organization, 'organization_type').replace(/^claude_/, '');
}
