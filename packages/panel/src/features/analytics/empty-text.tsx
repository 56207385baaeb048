import { useText } from '../../platform/i18n/index.ts';
import { namedRange } from '../../platform/range/range.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useNamedKeys } from '../../ui/requests/named-keys-state.tsx';
import { clearScope, countScopeFilters, type Scope } from './analytics-search.ts';

interface Empty {
  readonly title: string;
  readonly text: string;
  readonly action: React.ReactNode;
}

/** Why a range is empty: filters, or the range itself; with the solution. */
export function useEmpty(scope: Scope, onScope: (next: Scope) => void): Empty {
  const { t } = useText();
  const filters = countScopeFilters(scope);
  const named = useNamedKeys(scope, onScope);
  if (filters > 0) {
    return {
      title: t('analytics.emptyFiltered'),
      text: named?.text ?? t('analytics.emptyFilteredText', { count: filters }),
      action: (
        <>
          {named?.action}
          <Button onClick={() => onScope(clearScope(scope))}>{t('filter.clear')}</Button>
        </>
      ),
    };
  }
  return {
    title: t('analytics.empty'),
    text: t('analytics.emptyText'),
    action:
      scope.range.name === '30d' ? null : (
        <Button onClick={() => onScope({ ...scope, range: namedRange('30d') })}>{t('analytics.emptyShow')}</Button>
      ),
  };
}
