import type { UrlSearch } from '../browser/url-search.ts';
import { type CompareChoice, namedRange, type RangeChoice, type RangeName } from './range.ts';

/** The ranges of one page. */
export interface RangeRules {
  /** In the control's order, without `custom`, which every page has. */
  readonly names: readonly Exclude<RangeName, 'custom'>[];
  readonly fallback: Exclude<RangeName, 'custom'>;
  /** Name in the address. */
  readonly parameter: string;
  /** `7d`, `14d` and `30d` begin that many times 24 hours ago, not at a midnight. */
  readonly rolling: boolean;
}

/** Largest instant a date can hold, ms. */
const MAX_TIME_MS = 8.64e15;

function readTime(text: string | undefined): number | null {
  const value = Number(text);
  return text !== undefined && Number.isInteger(value) && value > 0 && value <= MAX_TIME_MS ? value : null;
}

function readSpan(from: string | undefined, to: string | undefined): { fromMs: number; toMs: number } | null {
  const [fromMs, toMs] = [readTime(from), readTime(to)];
  return fromMs === null || toMs === null || fromMs >= toMs ? null : { fromMs, toMs };
}

/** The range in an address; an invalid one counts as the default. */
export function readRange(url: UrlSearch, rules: RangeRules): RangeChoice {
  const text = url[rules.parameter]?.[0];
  if (text === 'custom') {
    const span = readSpan(url.from_ms?.[0], url.to_ms?.[0]);
    return span === null ? namedRange(rules.fallback) : { name: 'custom', ...span };
  }
  return namedRange(rules.names.find((name) => name === text) ?? rules.fallback);
}

/** Writes a range unless it is the default; other parameters stay. */
export function writeRange(choice: RangeChoice, rules: RangeRules, others: UrlSearch): UrlSearch {
  const { [rules.parameter]: _, from_ms: _from, to_ms: _to, ...url } = others;
  if (choice.name === rules.fallback) return url;
  if (choice.name !== 'custom') return { ...url, [rules.parameter]: [choice.name] };
  if (choice.fromMs === null || choice.toMs === null) return url;
  return {
    ...url,
    [rules.parameter]: ['custom'],
    from_ms: [String(choice.fromMs)],
    to_ms: [String(choice.toMs)],
  };
}

/** `compare=previous`, or `compare=custom` with `compare_from_ms` and `compare_to_ms`. */
export function readCompare(url: UrlSearch): CompareChoice {
  const kind = url.compare?.[0];
  if (kind === 'previous') return { kind };
  if (kind !== 'custom') return { kind: 'none' };
  const span = readSpan(url.compare_from_ms?.[0], url.compare_to_ms?.[0]);
  return span === null ? { kind: 'none' } : { kind, ...span };
}

export function writeCompare(choice: CompareChoice, others: UrlSearch): UrlSearch {
  const { compare: _, compare_from_ms: _from, compare_to_ms: _to, ...url } = others;
  if (choice.kind === 'none') return url;
  if (choice.kind === 'previous') return { ...url, compare: ['previous'] };
  return {
    ...url,
    compare: ['custom'],
    compare_from_ms: [String(choice.fromMs)],
    compare_to_ms: [String(choice.toMs)],
  };
}
