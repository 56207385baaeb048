import {
  durationText,
  genericWindowId,
  type ModelScope,
  type QuotaWindow,
  type WindowClass,
} from '../../contract/quotas/window.ts';
import type { Zone } from '../../time/zones.ts';
import { classifyCodexWindows } from './codex-classes.ts';
import { codexFamilies } from './codex-families.ts';
import { CODE_REVIEW_PREFIX, CODE_REVIEW_SCOPE, CODEX_MAIN_SCOPE } from './codex-scope.ts';
import type { CodexRateLimit, CodexUsage, CodexWindow } from './codex-usage.ts';

export interface CodexWindowContext {
  /** Plan of the answer, else of the account. */
  readonly planType: string;
  readonly observedAtMs: number;
  /** For labels only. */
  readonly zone: Zone;
}

/** Names of the windows of one limit. */
interface Naming {
  classId(name: WindowClass): string;
  /** Ids that older records have for a window of the class. */
  classAliases(name: WindowClass): readonly string[];
  readonly genericPrefix: string;
  /** Part of the translation keys, '' for the main limit. */
  readonly labelPrefix: string;
  readonly labelParams: Readonly<Record<string, string>>;
  readonly scope: ModelScope;
}

const LABELS: Readonly<Record<WindowClass, string>> = {
  'five-hour': 'primary_window',
  weekly: 'secondary_window',
  monthly: 'monthly_window',
};

const MAIN: Naming = {
  classId: (name) => name,
  classAliases: () => [],
  genericPrefix: '',
  labelPrefix: '',
  labelParams: {},
  scope: CODEX_MAIN_SCOPE,
};

const CODE_REVIEW: Naming = {
  ...MAIN,
  classId: (name) => `${CODE_REVIEW_PREFIX}-${name}`,
  genericPrefix: CODE_REVIEW_PREFIX,
  labelPrefix: 'code_review_',
  scope: CODE_REVIEW_SCOPE,
};

/** All windows of the answer: main limit, code review, then the additional limits. */
export function codexQuotaWindows(usage: CodexUsage, context: CodexWindowContext): QuotaWindow[] {
  const windows: QuotaWindow[] = [];
  if (usage.main !== null) windows.push(...windowsOf(usage.main, MAIN, context));
  if (usage.codeReview !== null) windows.push(...windowsOf(usage.codeReview, CODE_REVIEW, context));
  for (const family of codexFamilies(usage.additional)) {
    const naming: Naming = {
      classId: (name) => `${family.prefix}-${name}-${family.number}`,
      classAliases: (name) =>
        family.ownPrefix === family.prefix ? [] : [`${family.ownPrefix}-${name}-${family.number}`],
      genericPrefix: `${family.prefix}-${family.number}`,
      labelPrefix: 'additional_',
      labelParams: { name: family.limit.limitName || family.limit.meteredFeature || family.prefix },
      scope: family.scope,
    };
    windows.push(...windowsOf(family.limit.rateLimit, naming, context));
  }
  return windows;
}

function windowsOf(limit: CodexRateLimit, naming: Naming, context: CodexWindowContext): QuotaWindow[] {
  const { classes, others } = classifyCodexWindows(limit, context.planType);
  return [
    ...[...classes].map(([name, window]) => {
      const aliases = naming.classAliases(name);
      return {
        id: naming.classId(name),
        ...labelOf(naming, LABELS[name], {}),
        ...valuesOf(limit, window, naming.scope, context),
        ...(aliases.length === 0 ? {} : { providerWindowAliases: aliases }),
      };
    }),
    ...others.map((window) => ({
      id: genericWindowId(window.lengthSeconds, window.slot, naming.genericPrefix),
      ...labelOf(naming, 'generic_window', { duration: durationText(window.lengthSeconds) }),
      ...valuesOf(limit, window, naming.scope, context),
    })),
  ];
}

function labelOf(naming: Naming, label: string, params: Readonly<Record<string, string>>) {
  const labelParams = { ...naming.labelParams, ...params };
  return {
    labelKey: `codex_quota.${naming.labelPrefix}${label}`,
    ...(Object.keys(labelParams).length === 0 ? {} : { labelParams }),
  };
}

function valuesOf(limit: CodexRateLimit, window: CodexWindow, modelScope: ModelScope, context: CodexWindowContext) {
  const { resetAtSeconds, resetAfterSeconds, lengthSeconds } = window;
  const resetAtMs =
    resetAtSeconds !== null
      ? Math.floor(resetAtSeconds) * 1000
      : resetAfterSeconds !== null
        ? Math.round(context.observedAtMs + resetAfterSeconds * 1000)
        : null;
  const isFull = (limit.limitReached === true || limit.allowed === false) && resetAtMs !== null;
  const usedPercent = window.usedPercent ?? (isFull ? 100 : null);
  return {
    ...(usedPercent === null ? {} : { usedPercent }),
    resetLabel: resetAtMs === null ? '-' : resetLabel(resetAtMs, context.zone),
    ...(resetAtMs === null ? {} : { resetAtMs }),
    resetAccuracy: resetAtMs === null ? 'unknown' : resetAtSeconds !== null ? 'exact' : 'derived',
    ...(lengthSeconds === null ? {} : { limitWindowSeconds: lengthSeconds }),
    modelScope,
  } as const;
}

/** Local `MM/DD HH:mm`. */
function resetLabel(ms: number, zone: Zone): string {
  const local = new Date(ms + zone.offsetAt(ms));
  if (Number.isNaN(local.getTime())) return '-';
  const iso = local.toISOString();
  const start = iso.indexOf('T');
  return `${iso.slice(start - 5, start).replace('-', '/')} ${iso.slice(start + 1, start + 6)}`;
}
