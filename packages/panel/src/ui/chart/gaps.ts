import type { TimelineGap } from '@manager/core/contract/monitoring/sections';
import type { Translate } from '../../platform/i18n/index.ts';
import { gapText } from '../../platform/wording/gap-texts.ts';
import type { ChartGap } from './types.ts';

/** Gaps of an answer that touch the range; an open one lasts until now. */
export function chartGaps(
  gaps: readonly TimelineGap[] | undefined,
  range: { readonly fromMs: number; readonly toMs: number },
  nowMs: number,
  t: Translate,
): readonly ChartGap[] {
  return (gaps ?? [])
    .map((gap) => ({ fromMs: gap.from_ms, toMs: gap.to_ms ?? nowMs, text: t(gapText(gap.kind)) }))
    .filter((gap) => gap.toMs > range.fromMs && gap.fromMs < range.toMs);
}
