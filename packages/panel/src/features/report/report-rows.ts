import type {
  Breakdown,
  BreakdownKind,
  BreakdownOthers,
  BreakdownPart,
  BreakdownRow,
  BreakdownSums,
} from '@manager/core/contract/monitoring/breakdown';
import { tokenMix } from '@manager/core/usage/token-mix';
import { knownCost } from '../../platform/format/format.ts';
import type { Masker } from '../../platform/format/mask.ts';
import { shown } from '../../platform/format/shown.ts';
import { accountNameOf, keyName } from '../../platform/requests/event-view.ts';
import { type Change, relativeChange } from '../../platform/wording/changes.ts';
import { judgeChange, type Verdict } from '../../platform/wording/judge-change.ts';
import type { ReportForecast } from './report-forecast.ts';
import type { ReportMeasure } from './report-search.ts';

/** Sums of one range; token kinds do not overlap. */
export interface ReportSums {
  readonly calls: number;
  readonly failed: number;
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly reasoning: number;
  readonly tokens: number;
  readonly cost: number;
  readonly unpriced: number;
}

/** A row of the report, or a part of one. */
export interface ReportRow {
  readonly key: string;
  /** As shown: masked where it identifies somebody. */
  readonly name: string;
  readonly now: ReportSums;
  /** null = no range to compare with. */
  readonly before: ReportSums | null;
  /** Empty on parts. */
  readonly parts: readonly ReportRow[];
  /** Rows that the answer does not list, added up. */
  readonly others: boolean;
  /** What the running month comes to; null = too little data; undefined = none is made: of other periods, of parts and of others. */
  readonly forecast: ReportForecast | null | undefined;
}

export interface ReportNames {
  readonly keyNames: ReadonlyMap<string, string>;
  readonly masker: Masker;
  /** For requests without one. */
  readonly none: Readonly<Record<BreakdownKind, string>>;
  readonly others: (count: number) => string;
}

const NOTHING: ReportSums = {
  calls: 0,
  failed: 0,
  input: 0,
  cached: 0,
  output: 0,
  reasoning: 0,
  tokens: 0,
  cost: 0,
  unpriced: 0,
};

function sumsOf(sums: BreakdownSums): ReportSums {
  const mix = Object.fromEntries(tokenMix(sums).map(({ key, tokens }) => [key, tokens]));
  return {
    calls: sums.calls,
    failed: sums.failure_calls,
    input: mix.input ?? 0,
    cached: mix.cached ?? 0,
    output: mix.output ?? 0,
    reasoning: mix.reasoning ?? 0,
    tokens: sums.total_tokens,
    cost: sums.cost,
    unpriced: sums.unpriced_calls ?? 0,
  };
}

function nameOf(kind: BreakdownKind, part: BreakdownPart, { keyNames, masker, none }: ReportNames): string {
  if (kind === 'client_key') return shown(keyName(part.id, keyNames)) || none[kind];
  if (kind !== 'account') return part.id.trim() === '' ? none[kind] : shown(part.id);
  const file = part.auth_file_snapshot === undefined ? '' : masker.file(part.auth_file_snapshot);
  const index = part.auth_index === '-' ? '' : (part.auth_index ?? '');
  const name = shown(
    accountNameOf({ ...part, source: '' }, masker) || file || masker.source(part.source ?? '') || index,
  );
  return name || none[kind];
}

const compared = (answer: Breakdown, { before }: BreakdownOthers | BreakdownPart): ReportSums | null => {
  if (answer.compare_from_ms === undefined) return null;
  return before === undefined ? NOTHING : sumsOf(before);
};

/** Key of the rows that are not listed; those of the others begin with `=`. */
const OTHERS = 'others';

/** The rows of an answer with their parts, in its order. */
export function reportRows(
  answer: Breakdown,
  by: BreakdownKind,
  parts: BreakdownKind | null,
  names: ReportNames,
  forecastOf: (row: BreakdownRow) => ReportForecast | null | undefined,
): readonly ReportRow[] {
  const rest = (others: BreakdownOthers | undefined): ReportRow[] =>
    others === undefined
      ? []
      : [
          {
            key: OTHERS,
            name: names.others(others.count),
            now: sumsOf(others),
            before: compared(answer, others),
            parts: [],
            others: true,
            forecast: undefined,
          },
        ];
  const row = (kind: BreakdownKind, part: BreakdownPart, below: readonly ReportRow[]): ReportRow => ({
    key: `=${part.id}`,
    name: nameOf(kind, part, names),
    now: sumsOf(part),
    before: compared(answer, part),
    parts: below,
    others: false,
    forecast: undefined,
  });
  return [
    ...answer.rows.map((one) => {
      const forecast = forecastOf(one);
      if (parts === null) return { ...row(by, one, []), forecast };
      const below = (one.parts ?? []).map((part) => row(parts, part, []));
      return { ...row(by, one, [...below, ...rest(one.parts_others)]), forecast };
    }),
    ...rest(answer.others),
  ];
}

/** The whole range. */
export function reportTotal({ total, ...answer }: Breakdown): { now: ReportSums; before: ReportSums | null } {
  return { now: sumsOf(total), before: compared({ total, ...answer }, { count: 0, ...total }) };
}

/** null = only unpriced requests. */
export function measured(sums: ReportSums, measure: ReportMeasure): number | null {
  if (measure === 'requests') return sums.calls;
  return measure === 'tokens' ? sums.tokens : knownCost(sums.cost, sums.unpriced);
}

/** Of a month, in the unit of the measure; null = unknown, as of a cost of unpriced requests alone. */
export function forecastIn(
  { now, forecast }: Pick<ReportRow, 'now' | 'forecast'>,
  measure: ReportMeasure,
): number | null {
  return forecast == null || measured(now, measure) === null ? null : forecast[measure];
}

export function shareOf(row: Pick<ReportRow, 'now'>, whole: ReportSums, measure: ReportMeasure): number | null {
  const [part, all] = [measured(row.now, measure), measured(whole, measure)];
  return part === null || all === null || all <= 0 ? null : part / all;
}

type Compared = Pick<ReportRow, 'now' | 'before'>;

export function changeOf({ now, before }: Compared, measure: ReportMeasure): Change {
  return before === null ? { kind: 'none' } : relativeChange(measured(now, measure), measured(before, measure));
}

/** Of the measures only cost has a good direction. */
export function verdictOf({ now, before }: Compared, measure: ReportMeasure): Verdict {
  // What is new or has ended did not become better or worse.
  if (before === null || before.calls === 0 || now.calls === 0) return 'neutral';
  return judgeChange({
    baseRequests: Math.min(now.calls, before.calls),
    before: measured(before, measure),
    after: measured(now, measure),
    good: measure === 'cost' ? 'down' : null,
  });
}

/** By how much a measure grew; null where one of both is unknown. */
export function growthOf({ now, before }: Compared, measure: ReportMeasure): number | null {
  if (before === null) return null;
  const [current, earlier] = [measured(now, measure), measured(before, measure)];
  return current === null || earlier === null ? null : current - earlier;
}

/** The rows that grew most, and those that shrank most, in the unit of the measure. */
export function movers(
  rows: readonly ReportRow[],
  measure: ReportMeasure,
  most: number,
): { readonly risers: readonly ReportRow[]; readonly fallers: readonly ReportRow[] } {
  const grown = rows
    .filter(({ others }) => !others)
    .map((row) => ({ row, by: growthOf(row, measure) ?? 0 }))
    .sort((one, other) => other.by - one.by);
  return {
    risers: grown
      .filter(({ by }) => by > 0)
      .slice(0, most)
      .map(({ row }) => row),
    fallers: grown
      .filter(({ by }) => by < 0)
      .reverse()
      .slice(0, most)
      .map(({ row }) => row),
  };
}
