import type { MouseEvent, ReactNode } from 'react';

/** Elements that handle clicks themselves. */
const CONTROLS = 'a:not(.row-link), button, input, label, select, textarea, [role="switch"]';

/** Whether a click is for a control inside the row. */
function isControl(event: MouseEvent<HTMLElement>): boolean {
  const control = event.target instanceof Element ? event.target.closest(CONTROLS) : null;
  return control !== null && control !== event.currentTarget;
}

const isModified = (event: MouseEvent): boolean => event.ctrlKey || event.metaKey || event.shiftKey;

/**
 * Clicks on a row: a plain one opens it here; the middle button and Ctrl open its address elsewhere, as on any link.
 * @param open null = a plain click does nothing
 */
export function rowClicks(href: () => string | null, open: (() => void) | null) {
  /** The browser does this itself for what is a link. */
  const openElsewhere = (event: MouseEvent<HTMLElement>) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const address = href();
    if (link === null && address !== null) window.open(address, '_blank', 'noopener');
  };
  return {
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (isControl(event)) return;
      if (isModified(event) && href() !== null) openElsewhere(event);
      else if (open !== null) {
        event.preventDefault();
        open();
      }
    },
    onAuxClick: (event: MouseEvent<HTMLElement>) => {
      if (event.button === 1 && !isControl(event)) openElsewhere(event);
    },
  };
}

/** The first cell of a row as a link, so that its address can be copied; the row itself has the focus and the keys. */
export function RowLink({ href, children }: { readonly href: string | null; readonly children: ReactNode }) {
  if (href === null) return children;
  return (
    <a className="row-link" href={href} tabIndex={-1} draggable={false}>
      {children}
    </a>
  );
}
