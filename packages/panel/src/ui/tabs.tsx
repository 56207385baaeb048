import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';

export interface Tab<V extends string> {
  readonly value: V;
  readonly label: string;
  /** Beside the label: how much the tab holds. */
  readonly count?: string;
}

/** Names for the panel that a list of tabs switches. */
export function useTabIds(): { readonly tab: (value: string) => string; readonly panel: string } {
  const base = useId();
  return { tab: (value) => `${base}-${value}`, panel: `${base}-panel` };
}

/** The chosen tab keeps this far from the ends of its row, so that its neighbour shows, px. */
const EDGE = 36;

/** A row of tabs that may be too long: the chosen one is in view, and an end behind which there is more fades. */
function useTabRow<E extends HTMLElement>(chosen: string): RefObject<E | null> {
  const ref = useRef<E>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is what moves it.
  useEffect(() => {
    const row = ref.current;
    const tab = row?.querySelector('[aria-selected="true"], [aria-current="page"]')?.getBoundingClientRect();
    if (!row || !tab) return;
    const box = row.getBoundingClientRect();
    row.scrollLeft += Math.max(0, tab.right + EDGE - box.right) - Math.max(0, box.left + EDGE - tab.left);
  }, [chosen]);
  useEffect(() => {
    const row = ref.current;
    if (row === null) return;
    const mark = () => {
      row.toggleAttribute('data-more-before', row.scrollLeft > 1);
      row.toggleAttribute('data-more-after', row.scrollLeft + row.clientWidth < row.scrollWidth - 1);
    };
    const watch = new ResizeObserver(mark);
    watch.observe(row);
    row.addEventListener('scroll', mark, { passive: true });
    return () => {
      watch.disconnect();
      row.removeEventListener('scroll', mark);
    };
  }, []);
  return ref;
}

/** Links to the parts of a page, each `.tab`: goes to the `tabs` of `Page`, or to the head of a drawer. */
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
  const row = useTabRow<HTMLDivElement>(chosen);
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
  const list = useTabRow<HTMLDivElement>(value);
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
    <div className="view-tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
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
