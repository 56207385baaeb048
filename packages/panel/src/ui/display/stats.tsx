import type { CSSProperties, ReactNode } from 'react';
import type { DataSource } from '../../platform/api/data-source.ts';
import { NONE } from '../../platform/format/format.ts';
import { StaleText } from '../feedback/states.tsx';
import { Shape } from './status.tsx';

export interface Stat {
  readonly key: string;
  readonly label: ReactNode;
  /** undefined while loading. */
  readonly value: ReactNode | undefined;
  readonly qualifier?: ReactNode;
  readonly tone?: 'warn' | 'bad' | null;
  /** Full number or time behind a shortened one. */
  readonly title?: string | undefined;
  /** The qualifier changes the meaning of the number, so it stays where there is little room. */
  readonly important?: boolean;
  /** Right end of the label: how the number is calculated. */
  readonly help?: ReactNode;
  /** Hidden on a phone. */
  readonly wideOnly?: boolean;
  /** A click filters by what the number counts. */
  readonly onSelect?: () => void;
  /** Whether that filter is active. */
  readonly selected?: boolean;
}

/** Cells of a row where not all fit in one: never one alone in the last row. */
const foldedCells = (count: number): number => (count % 3 === 1 ? 4 : 3);

/** One panel with inner dividers: equal cells, the number is the largest element. */
export function StatRow({
  label,
  stats,
  source,
  compact = false,
}: {
  readonly label: string;
  readonly stats: readonly Stat[];
  /** Where all numbers come from: without an answer they are missing, and old ones show their age. */
  readonly source?: DataSource<unknown>;
  /** Smaller on narrow screens, where rows matter more. */
  readonly compact?: boolean;
}) {
  return (
    <section
      className="stats"
      aria-label={label}
      style={{ '--cells': stats.length, '--folded': foldedCells(stats.length) } as CSSProperties}
      {...(compact ? { 'data-compact': '' } : {})}
      {...(stats.length === 7 ? { 'data-seven': '' } : {})}
    >
      {ofSource(stats, source).map((stat) => (
        <Cell stat={stat} key={stat.key}>
          {stat.help === undefined ? (
            <span className="stat-label">{stat.label}</span>
          ) : (
            <span className="stat-head">
              <span className="stat-label">{stat.label}</span>
              {stat.help}
            </span>
          )}
          <span className={stat.tone ? `stat-value tone-${stat.tone}` : 'stat-value'} title={stat.title}>
            {stat.value === undefined ? (
              <span className="skeleton" style={{ display: 'block', width: 72, margin: '8px 0' }} />
            ) : (
              stat.value
            )}
          </span>
          <span className="stat-qualifier" {...(stat.important ? { 'data-important': '' } : {})}>
            {stat.qualifier}
          </span>
        </Cell>
      ))}
    </section>
  );
}

function ofSource(stats: readonly Stat[], source: DataSource<unknown> | undefined): readonly Stat[] {
  if (source === undefined || source.error === null) return stats;
  const { data, error, atMs } = source;
  // Failed is not the same as loading.
  if (data === undefined) return stats.map((stat) => ({ ...stat, value: stat.value ?? NONE, qualifier: '' }));
  const [first, ...others] = stats;
  if (first === undefined || atMs === null) return stats;
  const age = (
    <span className="row">
      <Shape tone="wait" />
      <StaleText atMs={atMs} error={error} />
    </span>
  );
  return [{ ...first, qualifier: age, important: true }, ...others];
}

function Cell({ stat, children }: { readonly stat: Stat; readonly children: ReactNode }) {
  const className = stat.wideOnly ? 'stat only-wide' : 'stat';
  if (stat.onSelect === undefined) {
    return (
      <div className={className} data-stat={stat.key}>
        {children}
      </div>
    );
  }
  return (
    <button
      type="button"
      className={className}
      data-stat={stat.key}
      aria-pressed={stat.selected === true}
      onClick={stat.onSelect}
    >
      {children}
    </button>
  );
}
