import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { UrlSearch } from '../../platform/browser/url-search.ts';

/** A number that links to the requests behind it. */
export function RequestsLink({
  search,
  className = 'stat-link',
  children,
}: {
  readonly search: UrlSearch;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return (
    <Link to="/monitoring" search={search} className={className}>
      {children}
    </Link>
  );
}
