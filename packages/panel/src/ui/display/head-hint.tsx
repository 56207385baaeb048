import type { ReactNode } from 'react';

/** Characters that fit beside a title on a phone. */
const FITTING = 20;

/** Beside the title of a panel: unit, scope, number of rows. A long one is below the title on a phone. */
export function HeadHint({ children, tiny = false }: { readonly children: ReactNode; readonly tiny?: boolean }) {
  const long = typeof children === 'string' && children.length > FITTING;
  return (
    <span className={`head-hint ${tiny ? 'tiny' : 'small'} ink-3 ellipsis`} data-long={long ? '' : undefined}>
      {children}
    </span>
  );
}
