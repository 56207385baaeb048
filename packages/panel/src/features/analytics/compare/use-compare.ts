import { useMemo } from 'react';
import { useServices } from '../../../platform/api/services.ts';
import { type RangeChoice, type ResolvedRange, resolveCompare } from '../../../platform/range/range.ts';
import { type CompareMode, compareSides, type Scope } from '../analytics-search.ts';
import { monitoringSearch, narrowed } from '../monitoring-search.ts';
import { granularityFor, includeOf, resolveScope } from '../question.ts';
import type { TabProps } from '../tab-props.ts';
import { useNaming } from '../usage/use-naming.ts';
import { useAnalytics } from '../use-scope.ts';
import { ENTITY_INCLUDES, entitiesOf, entityIn, withoutEntity } from './compare-entities.ts';

/** Both sides of the comparison, their answers, and the options of their controls. */
export function useCompare({ search, change, zone }: TabProps) {
  const { client } = useServices();
  const naming = useNaming();
  const { mode, by } = search;
  const plain = useMemo(() => compareSides(search), [search]);
  const include = ENTITY_INCLUDES[mode];
  const everything = useMemo(() => withoutEntity(plain.a), [plain.a]);
  const list = useAnalytics({
    part: `compare-${mode}`,
    scope: everything,
    zone,
    granularity: 'day',
    enabled: include !== null,
    include: () => ({ ...include, summary: true, summary_profile: 'compact' }),
  });
  const entities = useMemo(
    () => (list.data === undefined ? [] : entitiesOf(mode, list.data.answer, naming, by)),
    [list.data, mode, naming, by],
  );

  // By default the two largest are compared.
  const [sideA, sideB] = useMemo(() => {
    if (mode === 'periods') return [plain.a, plain.b];
    const [first, second] = entities;
    const a = entityIn(plain.a) === null && first !== undefined ? narrowed(plain.a, first.narrowing) : plain.a;
    const same = JSON.stringify(entityIn(plain.b)) === JSON.stringify(entityIn(a));
    const open = search.b === null && (same || entityIn(plain.b) === null);
    const other = entities.find(({ narrowing }) => JSON.stringify(narrowing) !== JSON.stringify(entityIn(a))) ?? second;
    const b = open && other !== undefined ? narrowed(withoutEntity(plain.b), other.narrowing) : plain.b;
    return [a, b];
  }, [mode, plain, entities, search.b]);

  const nowMs = client.now();
  const resolvedA = resolveScope(sideA, nowMs, zone);
  const resolvedB: ResolvedRange = plain.before
    ? (resolveCompare({ kind: 'previous' }, resolvedA, zone) ?? resolvedA)
    : resolveScope(sideB, nowMs, zone);
  const longer = resolvedA.toMs - resolvedA.fromMs > resolvedB.toMs - resolvedB.fromMs ? resolvedA : resolvedB;
  const granularity = granularityFor(search.granularity, longer);
  const ready = mode === 'periods' || (entityIn(sideA) !== null && entityIn(sideB) !== null);
  const question = { zone, granularity, enabled: ready, include: (cut: 'hour' | 'day') => includeOf('compare', cut) };
  const a = useAnalytics({ ...question, part: 'compare', scope: sideA });
  const b = useAnalytics({
    ...question,
    part: 'compare',
    scope: plain.before ? { ...sideB, range: sideA.range } : sideB,
    before: plain.before,
  });

  const rangeB: RangeChoice = plain.before
    ? { name: 'custom', fromMs: Math.floor(resolvedB.fromMs), toMs: Math.ceil(resolvedB.toMs) }
    : sideB.range;
  const views = { a: { scope: sideA, range: sideA.range }, b: { scope: sideB, range: rangeB } };
  return {
    a,
    b,
    list,
    ready,
    entities,
    granularity,
    views,
    before: plain.before,
    resolved: { a: resolvedA, b: resolvedB },
    onMode: (next: CompareMode) =>
      change({
        mode: next,
        a: search.a === null ? null : { ...search.a, scope: withoutEntity(search.a.scope) },
        b: null,
      }),
    onSide: (side: 'a' | 'b', range: RangeChoice | null, scope: Scope) => {
      // The present side stays as the other one.
      const keptA = { range: views.a.range, scope: views.a.scope };
      const keptB = plain.before ? search.b : { range: views.b.range, scope: views.b.scope };
      change(side === 'a' ? { a: { range, scope }, b: keptB } : { a: search.a ?? keptA, b: { range, scope } });
    },
    onSwap: () => change({ a: { range: rangeB, scope: sideB }, b: { range: sideA.range, scope: sideA } }),
    requests: (side: 'a' | 'b') => {
      const data = side === 'a' ? a.data : b.data;
      if (data === undefined) return null;
      const scope = side === 'b' && plain.before ? { ...data.scope, range: rangeB } : data.scope;
      return monitoringSearch(scope, data);
    },
  };
}
