import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { useScrollRow } from './scroll-row.ts';

export interface Tab<V extends string> {
  readonly value: V;
  readonly label: string;
  /** Beside the label: number of items in the tab. */
  readonly count?: string;
}

/** Ids for the panel that a list of tabs switches. */
export function useTabIds(): { readonly tab: (value: string) => string; readonly panel: string } {
  const base = useId();
  return { tab: (value) => `${base}-${value}`, panel: `${base}-panel` };
}

/** Links to the parts of a page, each `.tab`: for the `tabs` of `Page`, or the header of a drawer. */
export function TabLinks({
  label,
  chosen,
  className,
  children,
}: {
  readonly label: string;
  /** Name of the open part, which has `aria-current`. */
  readonly chosen: string;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const row = useScrollRow<HTMLDivElement>(chosen);
  return (
    <nav className={className === undefined ? 'tab-band' : `tab-band ${className}`} aria-label={label}>
      <div className="tabs" ref={row}>
        {children}
      </div>
    </nav>
  );
}

/**
 * One of several views of the same place. Arrow keys move the choice.
 *
 *     const ids = useTabIds();
 *     <Tabs label={t('…')} tabs={…} value={tab} onChange={setTab} ids={ids} />
 *     <div role="tabpanel" id={ids.panel} aria-labelledby={ids.tab(tab)}>…</div>
 */
export function Tabs<V extends string>({
  label,
  tabs,
  value,
  onChange,
  ids,
}: {
  readonly label: string;
  readonly tabs: readonly Tab<V>[];
  readonly value: V;
  readonly onChange: (value: V) => void;
  readonly ids: ReturnType<typeof useTabIds>;
}) {
  const list = useScrollRow<HTMLDivElement>(value);
  const onKeyDown = (event: KeyboardEvent) => {
    const index = tabs.findIndex((tab) => tab.value === value);
    const moves: Record<string, number> = {
      ArrowRight: (index + 1) % tabs.length,
      ArrowLeft: (index - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = tabs[moves[event.key] ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    onChange(next.value);
    const button = list.current?.querySelector(`[data-tab="${CSS.escape(next.value)}"]`);
    if (button instanceof HTMLElement) button.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          id={ids.tab(tab.value)}
          data-tab={tab.value}
          aria-selected={tab.value === value}
          aria-controls={ids.panel}
          tabIndex={tab.value === value ? 0 : -1}
          onClick={() => onChange(tab.value)}
        >
          {tab.label}
          {tab.count !== undefined && <span className="ink-3 only-wide"> {tab.count}</span>}
        </button>
      ))}
    </div>
  );
}
