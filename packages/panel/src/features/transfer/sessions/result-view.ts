import type { TextKey } from '../../../platform/i18n/index.ts';
import type { ImportResult } from '../upload/session.ts';

export interface ResultRow {
  readonly label: TextKey;
  readonly value: number;
  /** Explanation where the name is not enough; shown when the number is not 0. */
  readonly hint?: TextKey;
  readonly bad?: boolean;
}

export function resultRows({ added, skipped, total, failed, unsupported }: ImportResult): readonly ResultRow[] {
  return [
    { label: 'importResult.added', value: added },
    { label: 'importResult.skipped', value: skipped, hint: 'importResult.skippedHint' },
    { label: 'importResult.total', value: total },
    { label: 'importResult.failed', value: failed, hint: 'importResult.failedHint', bad: failed > 0 },
    { label: 'importResult.unsupported', value: unsupported, hint: 'importResult.unsupportedHint' },
  ];
}

export function formatLabel({ format }: Pick<ImportResult, 'format'>): TextKey {
  return format === 'usage_service_jsonl' ? 'importResult.archive' : 'importResult.snapshot';
}

export interface WarningText {
  /** As the server sends it. */
  readonly code: string;
  /** Null for a code of a later version, which is shown unchanged. */
  readonly text: TextKey | null;
  readonly count: number;
}

const WARNINGS: Readonly<Record<string, TextKey>> = {
  unusable_token_counts: 'importWarning.tokens',
  records_without_time: 'importWarning.untimed',
  records_shortened: 'importWarning.shortened',
  legacy_usage_metadata_is_partial: 'importWarning.legacyPartial',
  legacy_usage_source_matching_may_be_approximate: 'importWarning.legacySources',
};

/** `code` or `code:count`. */
export function readWarning(warning: string): WarningText {
  const [, name = warning, count] = /^([a-z_]+)(?::(\d+))?$/.exec(warning) ?? [];
  const text = WARNINGS[name] ?? null;
  return { code: warning, text, count: count === undefined ? 1 : Number(count) };
}

/** Servers of other versions may leave the list out. */
export function warningsOf({ warnings }: ImportResult): readonly WarningText[] {
  const list: readonly string[] | null | undefined = warnings;
  return (list ?? []).map(readWarning);
}

/** Sums without requests, which cannot be imported. */
export function isAggregatesOnly(message: string, result: ImportResult | null): boolean {
  if (/^aggregates only\b/i.test(message)) return true;
  return result !== null && result.format !== 'usage_service_jsonl' && result.total === 0 && result.unsupported > 0;
}

/** For the clipboard: wire names, so that a report can be read without this panel. */
export function resultJson(filename: string, result: ImportResult): string {
  return JSON.stringify({ filename, ...result }, null, 2);
}
