import { Navigate, useSearch } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { AccountsPage } from '../features/accounts/accounts-page.tsx';
import { ModelRulesPage } from '../features/model-rules/model-rules-page.tsx';
import type { UrlSearch } from '../platform/browser/url-search.ts';
import { ManagerPage } from './manager-page.tsx';

/** The pages that share `/accounts`, by `view`; all else is the list. */
const VIEWS: ReadonlyMap<string, ComponentType> = new Map([
  ['health', () => <ManagerPage name="InspectionPage" />],
  ['oauth', ModelRulesPage],
]);

export function AccountsRoute() {
  const search: UrlSearch = useSearch({ strict: false });
  const view = search.view?.[0] ?? '';
  // Bookmarks of older panels.
  if (view === 'inspection') {
    return <Navigate to="/accounts" search={(before: UrlSearch) => ({ ...before, view: ['health'] })} replace />;
  }
  const View = VIEWS.get(view) ?? AccountsPage;
  return <View />;
}
