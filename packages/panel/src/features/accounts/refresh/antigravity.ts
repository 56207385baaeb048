import { isSuccess, type ProbeAnswer, TOKEN_PLACEHOLDER } from '@manager/core/accounts/api-call';
import { numberMember, objectMember, textMember } from '@manager/core/accounts/provider-values';
import type { SnapshotWindowRequest } from '@manager/core/contract/quotas/snapshots';
import { isJsonObject, type JsonObject } from '@manager/core/json/json';
import type { Account } from '../../../platform/accounts/account.ts';
import { type Ask, answered } from './ask.ts';
import {
  fixedBoundary,
  instantOf,
  type ObservedQuota,
  QuotaError,
  slugOf,
  usedPercent,
  windowSeconds,
} from './observed-windows.ts';

/** In the order of attempts. */
const HOSTS = [
  'https://daily-cloudcode-pa.googleapis.com',
  'https://daily-cloudcode-pa.sandbox.googleapis.com',
  'https://cloudcode-pa.googleapis.com',
];
const USER_AGENT = 'antigravity/cli/1.0.13 (aidev_client; os_type=darwin; arch=arm64)';

export async function askAntigravity(ask: Ask, { listed: account, project }: Account): Promise<ObservedQuota> {
  const body = JSON.stringify({ project: project || (account.accountIds[0] ?? '') });
  const question = async (call: string, data: string): Promise<ProbeAnswer> => {
    let last: ProbeAnswer = { kind: 'transport_error', error: '' };
    for (const host of HOSTS) {
      last = await ask({
        authIndex: account.authIndex,
        method: 'POST',
        url: `${host}/v1internal:${call}`,
        header: { Authorization: TOKEN_PLACEHOLDER, 'Content-Type': 'application/json', 'User-Agent': USER_AGENT },
        data,
      });
      // An account is refused everywhere alike.
      if (last.kind === 'answered' && (isSuccess(last.statusCode) || last.statusCode === 401)) return last;
    }
    return last;
  };
  const summary = await question('retrieveUserQuotaSummary', body);
  const grouped = summary.kind === 'answered' && summary.json !== null ? groupWindows(summary.json) : [];
  const windows = grouped.length > 0 ? grouped : modelWindows(answered(await question('fetchAvailableModels', body)));
  if (windows.length === 0) throw new QuotaError('', summary.kind === 'answered' ? summary.statusCode : 0);
  const assist = await question('loadCodeAssist', JSON.stringify({ metadata: { ideType: 'ANTIGRAVITY' } }));
  const plan = assist.kind === 'answered' && assist.json !== null ? antigravityPlan(assist.json) : '';
  return {
    windows: plan === '' ? windows : windows.map((window) => ({ ...window, plan_type: plan })),
    complete: grouped.length > 0,
  };
}

function groupWindows(body: JsonObject): readonly SnapshotWindowRequest[] {
  const groups = Array.isArray(body.groups) ? body.groups.filter(isJsonObject) : [];
  return groups.flatMap((group) => {
    const name = textMember(group, 'display_name') || textMember(group, 'group_id');
    const buckets = Array.isArray(group.buckets) ? group.buckets.filter(isJsonObject) : [];
    return buckets.map((bucket) => {
      const length = windowSeconds(textMember(bucket, 'window'));
      const id = textMember(bucket, 'bucket_id') || textMember(bucket, 'window');
      const left = numberMember(bucket, 'remaining_fraction');
      return {
        provider_window_id: `${slugOf(name)}:${id}`,
        window_kind: length === 18_000 ? 'five_hour' : length === 604_800 ? 'weekly' : 'unknown',
        model_scope_kind: 'family' as const,
        model_scope_key: familyOf(name),
        ...fixedBoundary(instantOf(textMember(bucket, 'reset_time')), length),
        ...usedPercent(left === null ? null : (1 - left) * 100),
      };
    });
  });
}

function familyOf(name: string): string {
  const slug = slugOf(name);
  if (slug.includes('gemini')) return 'gemini';
  return /claude|gpt/.test(slug) ? 'claude_gpt' : slug.replaceAll('-', '_');
}

/** Older accounts report the quota of each model. */
function modelWindows(body: JsonObject): readonly SnapshotWindowRequest[] {
  const models = objectMember(body, 'models') ?? {};
  return Object.entries(models).flatMap(([model, given]) => {
    const info = isJsonObject(given) ? objectMember(given, 'quota_info') : null;
    const left = info === null ? null : numberMember(info, 'remaining_fraction');
    if (info === null || left === null) return [];
    return {
      provider_window_id: `model:${model}`,
      window_kind: 'unknown',
      model_scope_kind: 'models' as const,
      model_ids: [model],
      ...fixedBoundary(instantOf(textMember(info, 'reset_time')), null),
      ...usedPercent((1 - left) * 100),
    };
  });
}

function antigravityPlan(body: JsonObject): string {
  const tier = objectMember(body, 'paid_tier') ?? objectMember(body, 'current_tier') ?? {};
  return textMember(tier, 'id') || textMember(tier, 'name').toLowerCase();
}
