import { durationText, type ModelScope, type WindowSlot } from '../../contract/quotas/window.ts';
import { codexScopeOfLimit, isSparkName, SPARK_PREFIX, slug } from './codex-scope.ts';
import type { CodexAdditionalLimit } from './codex-usage.ts';

/** One additional limit with the prefix of its window ids. */
export interface CodexFamily {
  readonly limit: CodexAdditionalLimit;
  readonly prefix: string;
  /** The prefix by its own name; differs where one allowance has several names. */
  readonly ownPrefix: string;
  /** Number among the families with the same prefix. */
  readonly number: number;
  readonly scope: ModelScope;
}

/**
 * Names the additional limits by content, not by their position: the ids must stay when the provider changes the order.
 */
export function codexFamilies(limits: readonly CodexAdditionalLimit[]): CodexFamily[] {
  const bases = limits.map(basePrefix);
  const prefixes = bases.map((base, index) => {
    const feature = slug(limits[index]?.meteredFeature ?? '');
    const isShared = bases.filter((other) => other === base).length > 1;
    return isShared && feature !== '' ? `${base}--${feature}` : base;
  });
  return limits.map((limit, index) => {
    const prefix = prefixes[index] ?? '';
    const equals = limits.filter((_, other) => prefixes[other] === prefix);
    const number = equals.sort(compareContent).indexOf(limit);
    return {
      limit,
      prefix,
      ownPrefix: ownPrefix(limit),
      number,
      scope: codexScopeOfLimit(limit.limitName, limit.meteredFeature, prefix),
    };
  });
}

function basePrefix(limit: CodexAdditionalLimit): string {
  return isSparkName(limit.meteredFeature) || isSparkName(limit.limitName) ? SPARK_PREFIX : ownPrefix(limit);
}

function ownPrefix(limit: CodexAdditionalLimit): string {
  return slug(limit.limitName) || slug(limit.meteredFeature) || anonymousPrefix(limit);
}

function anonymousPrefix(limit: CodexAdditionalLimit): string {
  const length = (slot: WindowSlot) =>
    durationText(limit.rateLimit.windows.find((window) => window.slot === slot)?.lengthSeconds ?? null);
  return `additional-${length(0)}-${length(1)}`;
}

function compareContent(left: CodexAdditionalLimit, right: CodexAdditionalLimit): number {
  const a = contentOf(left);
  const b = contentOf(right);
  for (let index = 0; index < a.length; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Lengths, percents, resets, allowed, reached. Unknown values come first. */
function contentOf({ rateLimit }: CodexAdditionalLimit): number[] {
  const slots = ([0, 1] as const).map((slot) => rateLimit.windows.find((window) => window.slot === slot));
  return [
    ...slots.map((window) => window?.lengthSeconds ?? -1),
    ...slots.map((window) => window?.usedPercent ?? -1),
    ...slots.map((window) => window?.resetAtSeconds ?? window?.resetAfterSeconds ?? -1),
    rank(rateLimit.allowed),
    rank(rateLimit.limitReached),
  ];
}

function rank(value: boolean | null): number {
  return value === null ? -1 : Number(value);
}
