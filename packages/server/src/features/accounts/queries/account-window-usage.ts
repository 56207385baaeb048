import type { AccountWindowUsage, AccountWindowUsageResponse } from '@manager/core/contract/accounts/window-usage';
import type { AnalyticsContext } from '../../../facts/context.ts';
import { createPricer } from '../../../facts/kernels/cost.ts';
import { symbolDimension } from '../../../facts/kernels/dimensions.ts';
import { costOfTotals } from '../../../facts/kernels/totals.ts';
import { unpricedMember } from '../../../facts/ratios.ts';
import type { FactSnapshot } from '../../../facts/reader.ts';
import { createScan } from '../../../facts/scan.ts';
import { type JsonInput, queryOf } from '../../../http/json-question.ts';
import { Transfer } from '../../../sqlite/worker/transfer.ts';
import { matchScope, scopeModel } from '../model-scope.ts';
import { parseWindowUsage, type UsageWindow, type WindowUsageQuery } from '../window-request.ts';
import { accountKeysOf } from './account-keys.ts';
import { addUsage, NO_USAGE, type UsageSums, usageOfGroups, usageSection } from './usage-sums.ts';
import { cutIntoSlots, slotDimension, slotsOf, type WindowSlots } from './window-slots.ts';

/** Sums of one model within one slot. */
interface Cell {
  /** As returned by `scopeModel`. */
  readonly model: string;
  readonly usage: UsageSums;
}

/** Returns the JSON body. */
export function answerAccountWindowUsage(
  context: AnalyticsContext,
  input: JsonInput<WindowUsageQuery>,
): Transfer<Uint8Array<ArrayBuffer>> {
  const { windows } = queryOf(input, parseWindowUsage);
  const response = context.facts.read((snapshot): AccountWindowUsageResponse => {
    const slots = cutIntoSlots(windows);
    const cells = sumSlots(snapshot, windows, slots, context);
    return {
      generated_at_ms: context.now(),
      items: windows.map((window) =>
        usageOf(
          window,
          slotsOf(slots, window).flatMap((slot) => cells.get(slot) ?? []),
        ),
      ),
    };
  });
  const body = new TextEncoder().encode(JSON.stringify(response));
  return new Transfer(body, [body.buffer]);
}

/** One scan over the time of all windows. */
function sumSlots(
  snapshot: FactSnapshot,
  windows: readonly UsageWindow[],
  slots: WindowSlots,
  context: AnalyticsContext,
): Map<number, Cell[]> {
  const { symbols } = snapshot;
  const fromMs = Math.min(...windows.map((window) => window.fromMs));
  const toMs = Math.max(...windows.map((window) => window.toMs));
  const scan = createScan(
    snapshot,
    { fromMs, toMs, filters: null, search: { query: '', apiKeyHash: '' } },
    context.checkStopped,
  );
  const prices = context.prices();
  const dimensions = [
    slotDimension(nameOf(slots), slots, accountKeysOf(symbols)),
    symbolDimension(['resolved_model', 'analytics_model']),
  ];
  const state = scan.add(usageSection(dimensions, createPricer(prices.book, prices.revision, symbols)));
  scan.run();

  const cells = new Map<number, Cell[]>();
  for (const { values, usage } of usageOfGroups(state())) {
    const [slot = 0] = values[0] ?? [];
    const [resolved = 0, analytics = 0] = values[1] ?? [];
    if (slot === 0) continue;
    const known = cells.get(slot) ?? [];
    known.push({ model: scopeModel(symbols.text(resolved) || symbols.text(analytics)), usage });
    cells.set(slot, known);
  }
  return cells;
}

/** Equal windows have equal names, so that cached results are found again. */
function nameOf({ byAccount }: WindowSlots): string {
  const text = JSON.stringify(Array.from(byAccount, ([key, { borders }]) => [key, [...borders]]));
  return new Bun.CryptoHasher('sha256').update(text).digest('base64');
}

function usageOf(window: UsageWindow, cells: readonly Cell[]): AccountWindowUsage {
  const { scope } = window;
  let totals = NO_USAGE;
  let unmatched = 0;
  for (const { model, usage } of cells) {
    const match = matchScope(scope, model);
    if (match === 'inside') totals = addUsage(totals, usage);
    else if (match === 'unknown') unmatched += usage.calls;
  }
  const matched = totals.calls > 0;
  return {
    request_key: window.requestKey,
    row_key: window.rowKey,
    ...(window.windowKey === '' ? {} : { window_key: window.windowKey }),
    provider_window_id: window.providerWindowId,
    period: window.period,
    from_ms: window.fromMs,
    to_ms: window.toMs,
    matched,
    total_requests: totals.calls,
    success_calls: totals.calls - totals.failures,
    failure_calls: totals.failures,
    total_tokens: totals.totalTokens,
    total_cost: costOfTotals(totals),
    ...unpricedMember(totals),
    success_rate: matched ? (totals.calls - totals.failures) / totals.calls : null,
    last_seen_ms: matched ? totals.newestMs : null,
    sync_status: matched ? 'ready' : 'empty',
    scope_match_status: !scope.complete ? 'unmatched' : unmatched > 0 ? 'partial' : 'complete',
    unmatched_requests: unmatched,
  };
}
