import type { KeyboardEvent, ReactNode } from 'react';

export interface SegmentedOption<V extends string> {
  readonly value: V;
  readonly label: string;
  /** Shown on wide screens only. */
  readonly wide?: boolean;
}

/** One of a few, as a radio group: arrow keys move the choice. */
export function Segmented<V extends string>({
  label,
  value,
  options,
  onChange,
  children,
}: {
  readonly label: string;
  readonly value: V | null;
  readonly options: readonly SegmentedOption<V>[];
  readonly onChange: (value: V) => void;
  /** More buttons inside the same frame. */
  readonly children?: ReactNode;
}) {
  const chosen = options.findIndex((option) => option.value === value);
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const step =
      event.key === 'ArrowRight' || event.key === 'ArrowDown'
        ? 1
        : event.key === 'ArrowLeft' || event.key === 'ArrowUp'
          ? -1
          : 0;
    if (step === 0) return;
    event.preventDefault();
    const index = (Math.max(0, chosen) + step + options.length) % options.length;
    const next = options[index];
    if (next === undefined) return;
    onChange(next.value);
    const target = event.currentTarget.querySelectorAll('[role="radio"]')[index];
    if (target instanceof HTMLElement) target.focus();
  };
  return (
    <div className="segmented" role="radiogroup" aria-label={label} onKeyDown={move}>
      {options.map((option, index) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          tabIndex={option.value === value || (chosen < 0 && index === 0) ? 0 : -1}
          className={option.wide === true ? 'only-wide' : undefined}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
      {children}
    </div>
  );
}
