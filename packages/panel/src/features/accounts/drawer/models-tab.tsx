import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ACCOUNTS_KEY, accountModels, channelModels } from '../../../platform/accounts/account-calls.ts';
import type { AccountRow } from '../../../platform/accounts/rows.ts';
import { fromQuery, isUnsupported } from '../../../platform/api/data-source.ts';
import { useServices } from '../../../platform/api/services.ts';
import { shown } from '../../../platform/format/shown.ts';
import { useText } from '../../../platform/i18n/index.ts';
import type { CellContext } from '../../../ui/accounts/account-text.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { DrawerSkeleton } from '../../../ui/dialog/drawer-skeleton.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { SourceView } from '../../../ui/feedback/source-view.tsx';
import { EmptyState } from '../../../ui/feedback/states.tsx';
import { canTestModels, ModelTest } from './model-test.tsx';

const MINUTE_MS = 60_000;
/** More are collapsed. */
const MOST = 100;

/** Models available to requests through this account, and the other ones of its provider. */
export function ModelsTab({ row, context }: { readonly row: AccountRow; readonly context: CellContext }) {
  const { t } = useText();
  const { client } = useServices();
  const { account } = row;
  const { provider } = account.listed;
  const [all, setAll] = useState(false);
  const offered = useQuery({
    queryKey: [ACCOUNTS_KEY, 'models', account.key],
    staleTime: MINUTE_MS,
    queryFn: ({ signal }) => accountModels(client, account, signal),
  });
  const known = useQuery({
    queryKey: [ACCOUNTS_KEY, 'channel', provider],
    staleTime: 5 * MINUTE_MS,
    queryFn: ({ signal }) => channelModels(client, provider, signal),
  });
  return (
    <SourceView
      source={fromQuery(offered)}
      loading={<DrawerSkeleton />}
      errorTitle={t('modelsTab.failed')}
      unsupported={{ title: t('modelsTab.old'), text: t('modelsTab.oldText') }}
    >
      {(models) => {
        const ids = new Set(models.map(({ id }) => id));
        const missing = (known.data ?? []).filter(({ id }) => !ids.has(id));
        const listed = all ? models : models.slice(0, MOST);
        return (
          <>
            <section>
              <h2>{t('modelsTab.offered', { count: models.length })}</h2>
              {canTestModels(account) && <p className="small ink-2">{t('modelsTab.testText')}</p>}
              {models.length === 0 ? (
                <EmptyState title={t('modelsTab.none')} text={t('modelsTab.noneText')} />
              ) : (
                <Stack component="ul" gap={2}>
                  {listed.map((model) => (
                    <Group component="li" gap="0 12px" key={model.id}>
                      <Status tone="okQuiet">
                        <span className="mono">{shown(model.id, 120)}</span>
                      </Status>
                      <span className="small ink-3 ellipsis">
                        {shown(model.name === model.id ? model.owner : model.name, 80)}
                      </span>
                      {canTestModels(account) && <ModelTest account={account} model={model.id} context={context} />}
                    </Group>
                  ))}
                </Stack>
              )}
              {models.length > listed.length && (
                <Button kind="quiet" onClick={() => setAll(true)}>
                  {t('modelsTab.showAll', { count: models.length })}
                </Button>
              )}
            </section>
            {known.error !== null && !isUnsupported(known.error) && (
              <section>
                <p className="ink-2 small">{t('modelsTab.channelUnknown')}</p>
              </section>
            )}
            {missing.length > 0 && (
              <section>
                <h2>{t('modelsTab.missing', { count: missing.length })}</h2>
                <p className="small ink-2">{t('modelsTab.missingText')}</p>
                <Stack component="ul" gap={2}>
                  {missing.map((model) => (
                    <Group component="li" gap="0 12px" key={model.id}>
                      <Status tone="off">
                        <span className="mono">{shown(model.id, 120)}</span>
                      </Status>
                    </Group>
                  ))}
                </Stack>
              </section>
            )}
          </>
        );
      }}
    </SourceView>
  );
}
