import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { formatCompact } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { UseFacts } from '../../ui/requests/use-facts.tsx';
import type { ProviderRow } from './model/rows.ts';

/** Its requests of the last seven days, as the manager stored them. */
export function UseSection({ row }: { readonly row: ProviderRow }) {
  const { t } = useText();
  const { use } = row;
  const indexes = row.keys.flatMap(({ authIndex }) => (authIndex === '' ? [] : [authIndex]));
  const requests = { range: ['7d'], auth_index: indexes };
  return (
    <section>
      <h2>{t('providers.useHint')}</h2>
      {use === undefined && <p className="ink-2">{t('clientKeys.useUnknown')}</p>}
      {use === null && <p className="ink-2">{t('providers.noUse')}</p>}
      {use && (
        <UseFacts
          calls={use.calls}
          successRate={1 - use.failed / use.calls}
          tokens={use.tokens}
          cost={use.cost}
          unpriced={use.unpriced}
          lastMs={use.lastMs}
        />
      )}
      {use && indexes.length > 0 && (
        <Group gap="8px 16px">
          <Link to="/monitoring" search={requests} className="link">
            {t('providers.openRequests')}
          </Link>
          {use.failed > 0 && (
            <Link to="/monitoring" search={{ ...requests, status: ['failed'] }} className="link">
              {t('clientKeys.openFailed', { count: use.failed, value: formatCompact(use.failed) })}
            </Link>
          )}
        </Group>
      )}
    </section>
  );
}
