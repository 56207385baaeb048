import type { WindowSlot } from '../../contract/quotas/window.ts';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { normalizedPlan } from '../listed-account.ts';
import { booleanMember, member, numberMember, objectMember, textMember } from '../provider-values.ts';

/** Far more than any plan has; the answer comes from elsewhere, and every window is stored and followed. */
const MAX_ADDITIONAL_LIMITS = 32;
const MAX_NAME_CHARACTERS = 128;

/** The parsed answer of the Codex usage API. null = missing. */
export interface CodexUsage {
  readonly planType: string;
  readonly main: CodexRateLimit | null;
  readonly codeReview: CodexRateLimit | null;
  readonly additional: readonly CodexAdditionalLimit[];
  /** The answer reports all windows, even if the list is empty; of too many limits only the first are read. */
  readonly inventoryObserved: boolean;
}

export interface CodexRateLimit {
  readonly allowed: boolean | null;
  readonly limitReached: boolean | null;
  /** The primary one first. */
  readonly windows: readonly CodexWindow[];
}

export interface CodexWindow {
  readonly slot: WindowSlot;
  readonly usedPercent: number | null;
  /** Length, in whole seconds. */
  readonly lengthSeconds: number | null;
  readonly resetAfterSeconds: number | null;
  /** Seconds since the epoch. */
  readonly resetAtSeconds: number | null;
}

export interface CodexAdditionalLimit {
  readonly limitName: string;
  readonly meteredFeature: string;
  readonly rateLimit: CodexRateLimit;
}

export function readCodexUsage(body: JsonObject | null): CodexUsage {
  const given = body ?? {};
  const main = objectMember(given, 'rate_limit');
  const codeReview = objectMember(given, 'code_review_rate_limit');
  const additional = member(given, 'additional_rate_limits');
  const limits = Array.isArray(additional) ? additional : [];
  const isWhole = limits.length <= MAX_ADDITIONAL_LIMITS;
  return {
    planType: normalizedPlan(textMember(given, 'plan_type')),
    main: main === null ? null : readRateLimit(main),
    codeReview: codeReview === null ? null : readRateLimit(codeReview),
    additional: limits.slice(0, MAX_ADDITIONAL_LIMITS).flatMap((limit) => readAdditional(limit) ?? []),
    inventoryObserved: isWhole && (main !== null || codeReview !== null || Array.isArray(additional)),
  };
}

function readAdditional(limit: unknown): CodexAdditionalLimit | null {
  if (!isJsonObject(limit)) return null;
  const rateLimit = objectMember(limit, 'rate_limit');
  if (rateLimit === null) return null;
  return {
    limitName: nameMember(limit, 'limit_name'),
    meteredFeature: nameMember(limit, 'metered_feature'),
    rateLimit: readRateLimit(rateLimit),
  };
}

function nameMember(limit: JsonObject, name: string): string {
  return textMember(limit, name).slice(0, MAX_NAME_CHARACTERS).toWellFormed();
}

function readRateLimit(limit: JsonObject): CodexRateLimit {
  const primary = objectMember(limit, 'primary_window');
  const secondary = objectMember(limit, 'secondary_window');
  return {
    allowed: booleanMember(limit, 'allowed'),
    limitReached: booleanMember(limit, 'limit_reached'),
    windows: [
      ...(primary === null ? [] : [readWindow(primary, 0)]),
      ...(secondary === null ? [] : [readWindow(secondary, 1)]),
    ],
  };
}

function readWindow(window: JsonObject, slot: WindowSlot): CodexWindow {
  const length = numberMember(window, 'limit_window_seconds');
  return {
    slot,
    usedPercent: numberMember(window, 'used_percent'),
    lengthSeconds: length !== null && length > 0 ? Math.round(length) : null,
    resetAfterSeconds: positive(numberMember(window, 'reset_after_seconds')),
    resetAtSeconds: positive(numberMember(window, 'reset_at')),
  };
}

function positive(value: number | null): number | null {
  return value !== null && value > 0 ? value : null;
}
