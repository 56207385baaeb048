import type { ImportResult } from '@manager/core/contract/transfer/import-sessions';
import {
  FILE_PROBLEMS,
  type FileProblem,
  RECORD_PROBLEMS,
  type RecordProblem,
} from '@manager/core/usage/import-problems';
import type { TextKey } from '../../../platform/i18n/index.ts';

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
  names_masked: 'importWarning.masked',
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

/** What an import that ran to its end did: 'imported' is said only of events that were not there before. */
export type Outcome = 'imported' | 'known' | 'nothing';

export function outcomeOf({ added, skipped }: Pick<ImportResult, 'added' | 'skipped'>): Outcome {
  if (added > 0) return 'imported';
  return skipped > 0 ? 'known' : 'nothing';
}

const REASONS: Readonly<Record<RecordProblem, TextKey>> = {
  not_utf8: 'importFailure.notUtf8',
  not_json: 'importFailure.notJson',
  not_object: 'importFailure.notObject',
  no_event: 'importFailure.noEvent',
  event_hash: 'importFailure.eventHash',
  unreadable_time: 'importFailure.unreadableTime',
  no_time: 'importFailure.noTime',
  no_models: 'importFailure.noModels',
};
const REASON_TEXTS = keysByText(RECORD_PROBLEMS, REASONS);

export interface FailureText {
  /** Null for a part of a snapshot. */
  readonly line: number | null;
  readonly where: string;
  /** Null for a reason of another version, which is shown unchanged. */
  readonly text: TextKey | null;
  readonly reason: string;
}

/** The failed records that the server lists. */
export function failuresOf({ failures }: ImportResult): readonly FailureText[] {
  return (failures ?? []).map(({ line, where, reason }) => ({
    line: line ?? null,
    where,
    text: REASON_TEXTS.get(reason) ?? null,
    reason,
  }));
}

const FORMS: Readonly<Record<FileProblem, TextKey>> = {
  gzip: 'importProblem.compressedText',
  zip: 'importProblem.zipText',
  compressed: 'importProblem.compressedText',
  utf16: 'importProblem.utf16Text',
  utf32: 'importProblem.utf16Text',
  html: 'importProblem.htmlText',
  csv: 'importProblem.csvText',
  sqlite: 'importProblem.sqliteText',
};
const FORM_TEXTS = keysByText(FILE_PROBLEMS, FORMS);

/** What to do with a file of another form; null for other messages. */
export function formText(message: string): TextKey | null {
  return FORM_TEXTS.get(message) ?? null;
}

function keysByText<Name extends string>(
  texts: Readonly<Record<Name, string>>,
  keys: Readonly<Record<Name, TextKey>>,
): ReadonlyMap<string, TextKey> {
  return new Map((Object.keys(texts) as Name[]).map((name) => [texts[name], keys[name]]));
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
