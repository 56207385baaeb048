import { isSuccess } from '@manager/core/accounts/api-call';
import { codexUsageRequest } from '@manager/core/accounts/inspection/codex/request';
import { numberMember, textMember } from '@manager/core/accounts/provider-values';
import { readCodexUsage } from '@manager/core/accounts/quota/codex-usage';
import { codexQuotaWindows } from '@manager/core/accounts/quota/codex-windows';
import { codexContainerIds } from '@manager/core/accounts/quota/subwindows';
import { DEFAULT_INSPECTION_CONFIG } from '@manager/core/contract/constants';
import type { SnapshotWindowRequest } from '@manager/core/contract/quotas/snapshots';
import { type QuotaWindow, windowClass } from '@manager/core/contract/quotas/window';
import { isJsonObject, type JsonObject } from '@manager/core/json/json';
import { createZone } from '@manager/core/time/zones';
import type { Account } from '../../../platform/accounts/account.ts';
import { type Ask, answered } from './ask.ts';
import { fixedBoundary, instantOf, type ObservedQuota, usedPercent } from './observed-windows.ts';

const CREDITS_URL = 'https://chatgpt.com/backend-api/wham/rate-limit-reset-credits';
/** Credits are additional to the windows and must not delay them, ms. */
const CREDITS_TIMEOUT_MS = 8_000;
/** The same as in inspections. */
const USER_AGENT = DEFAULT_INSPECTION_CONFIG.userAgent;
const MAX_CREDITS = 100;

interface CodexCredits {
  readonly available: number;
  readonly credits: readonly { readonly id: string; readonly expires_at_ms?: number }[];
}

const creditHeaders = (header: Readonly<Record<string, string>>) => ({
  ...header,
  Accept: 'application/json',
  'OpenAI-Beta': 'codex-1',
  Originator: 'Codex Desktop',
});

export async function askCodex(ask: Ask, { listed: account }: Account, nowMs: () => number): Promise<ObservedQuota> {
  const question = codexUsageRequest(account, USER_AGENT);
  const usage = readCodexUsage(answered(await ask(question)));
  const credits = await askCredits(ask, question.header, account.authIndex);
  const planType = usage.planType || account.planType;
  const found = codexQuotaWindows(usage, { planType, observedAtMs: nowMs(), zone: createZone('UTC') });
  const ids = new Set(found.map(({ id }) => id));
  return {
    windows: found.map((window) => windowRequest(window, ids, planType, credits)),
    complete: usage.inventoryObserved,
  };
}

function windowRequest(
  window: QuotaWindow,
  ids: ReadonlySet<string>,
  planType: string,
  credits: CodexCredits | null,
): SnapshotWindowRequest {
  const { modelScope, limitWindowSeconds = null, resetAtMs = null, resetAccuracy, providerWindowAliases = [] } = window;
  const container = codexContainerIds(window.id).find((id) => ids.has(id));
  return {
    provider_window_id: window.id,
    window_kind: windowClass(limitWindowSeconds)?.replace('-', '_') ?? 'unknown',
    model_scope_kind: modelScope.kind,
    ...(modelScope.key === undefined ? {} : { model_scope_key: modelScope.key }),
    ...(modelScope.models === undefined ? {} : { model_ids: [...modelScope.models] }),
    ...(providerWindowAliases.length === 0 ? {} : { provider_window_aliases: [...providerWindowAliases] }),
    ...fixedBoundary(resetAtMs, limitWindowSeconds, resetAccuracy === 'exact' ? 'exact' : 'derived'),
    ...usedPercent(window.usedPercent ?? null),
    ...(planType === '' ? {} : { plan_type: planType }),
    ...(credits === null || modelScope.key !== 'codex_main'
      ? {}
      : { reset_credits_available: credits.available, reset_credits: [...credits.credits] }),
    ...(container === undefined
      ? {}
      : { relationship_kind: 'concurrent_subwindow' as const, container_provider_window_id: container }),
  };
}

/** null = unknown. */
async function askCredits(
  ask: Ask,
  header: Readonly<Record<string, string>>,
  authIndex: string,
): Promise<CodexCredits | null> {
  const answer = await ask(
    { authIndex, method: 'GET', url: CREDITS_URL, header: creditHeaders(header) },
    CREDITS_TIMEOUT_MS,
  );
  return answer.kind === 'answered' && isSuccess(answer.statusCode) && answer.json !== null
    ? readCredits(answer.json)
    : null;
}

function readCredits(body: JsonObject): CodexCredits | null {
  const list = Array.isArray(body.credits) ? body.credits.filter(isJsonObject) : [];
  const usable = list.filter((credit) => {
    const type = textMember(credit, 'reset_type');
    return textMember(credit, 'status') === 'available' && (type === '' || type === 'codex_rate_limits');
  });
  const available = numberMember(body, 'available_count') ?? (Array.isArray(body.credits) ? usable.length : null);
  if (available === null) return null;
  return {
    available: Math.max(0, Math.round(available)),
    credits: usable.slice(0, MAX_CREDITS).flatMap((credit) => {
      const id = textMember(credit, 'id');
      const expires = instantOf(textMember(credit, 'expires_at'));
      return id === '' ? [] : [{ id, ...(expires === null ? {} : { expires_at_ms: expires }) }];
    }),
  };
}

/** Uses one reset credit of the account. It cannot be undone. */
export async function consumeCredit(ask: Ask, { listed: account }: Account, requestId: string): Promise<void> {
  const { header } = codexUsageRequest(account, USER_AGENT);
  answered(
    await ask({
      authIndex: account.authIndex,
      method: 'POST',
      url: `${CREDITS_URL}/consume`,
      header: creditHeaders(header),
      data: JSON.stringify({ redeem_request_id: requestId }),
    }),
  );
}
