import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { UrlSearch } from '../../app/url-search.ts';
import type { CompareChoice, RangeChoice } from './range.ts';
import { type RangeRules, readCompare, readRange, writeCompare, writeRange } from './range-url.ts';

export interface RangeUrl {
  readonly range: RangeChoice;
  readonly setRange: (range: RangeChoice) => void;
  readonly compare: CompareChoice;
  readonly setCompare: (compare: CompareChoice) => void;
}

/** Range and comparison of a page, held by its address. `rules` is a constant of the page. */
export function useRangeUrl(rules: RangeRules): RangeUrl {
  const url: UrlSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const range = useMemo(() => readRange(url, rules), [url, rules]);
  const compare = useMemo(() => readCompare(url), [url]);
  const change = (search: (before: UrlSearch) => UrlSearch) => void navigate({ to: '.', search });
  return {
    range,
    compare,
    setRange: (next) => change((before) => writeRange(next, rules, before)),
    setCompare: (next) => change((before) => writeCompare(next, before)),
  };
}
