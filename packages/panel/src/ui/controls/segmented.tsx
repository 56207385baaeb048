import { type ReactNode, useId } from 'react';
import { useScrollRow } from './scroll-row.ts';

export interface SegmentedOption<V extends string> {
  readonly value: V;
  readonly label: string;
}

/** One of a few, as radio buttons in one frame: arrow keys move the choice. */
export function Segmented<V extends string>({
  label,
  value,
  options,
  onChange,
  children,
}: {
  readonly label: string;
  /** null = none of them. */
  readonly value: V | null;
  readonly options: readonly SegmentedOption<V>[];
  readonly onChange: (value: V) => void;
  /** More buttons inside the same frame. */
  readonly children?: ReactNode;
}) {
  const name = useId();
  const row = useScrollRow<HTMLDivElement>(value);
  return (
    <div className="segmented" role="radiogroup" aria-label={label} ref={row}>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
      {children}
    </div>
  );
}
