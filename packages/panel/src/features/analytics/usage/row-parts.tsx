import { fromQuery } from '../../../platform/api/data-source.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { wholeRow } from '../../../platform/requests/row-parts.ts';
import { usageSums } from '../../../platform/requests/usage-sums.ts';
import { Block } from '../../../ui/feedback/block.tsx';
import { SourceView } from '../../../ui/feedback/source-view.tsx';
import type { TabProps } from '../tab-props.ts';
import { useAnalytics } from '../use-scope.ts';
import { useUnsupported } from '../use-unsupported.ts';
import { PartList } from './part-list.tsx';
import { accountLabel, modelRow, rankValue, type UsageRow } from './usage-rows.ts';
import { useNaming } from './use-naming.ts';

export type EntityKind = 'apiKeys' | 'credentials';

/** Rows of client keys and accounts. */
export type EntityRow = UsageRow & { readonly stats: { readonly id: string } };

const SECTIONS = { apiKeys: { api_key_stats: true }, credentials: { credential_stats: true } } as const;

/** The models of a row and the accounts of a client key, by their own request: the list has none of them. */
export function RowParts({
  tab,
  kind,
  row,
}: {
  readonly tab: TabProps;
  readonly kind: EntityKind;
  readonly row: EntityRow;
}) {
  const { search, zone, options, money } = tab;
  const { t } = useText();
  const naming = useNaming();
  const unsupported = useUnsupported();
  const { id } = row.stats;
  const source = fromQuery(
    useAnalytics({
      part: `${kind} ${id}`,
      scope: search.scope,
      zone,
      granularity: 'auto',
      known: options.selectors?.api_key_hashes,
      enabled: !options.waiting,
      include: () => ({ ...SECTIONS[kind], ...wholeRow(id) }),
    }),
  );
  const list = { by: search.by, total: rankValue(row, search.by), money };
  return (
    <SourceView
      source={source}
      loading={
        <section>
          <Block height={160} />
        </section>
      }
      errorTitle={t('analytics.loadFailed')}
      unsupported={unsupported}
    >
      {({ answer: { api_key_stats: keys = [], credential_stats: accounts = [] } }) => {
        const key = keys.find((one) => one.id === id);
        const { models = [] } = key ?? accounts.find((one) => one.id === id) ?? {};
        const contexts = (key?.contexts ?? []).map((context) => ({
          key: context.id,
          name: accountLabel(context, naming),
          plainName: context.id,
          detail: context.auth_provider_snapshot ?? '',
          ...usageSums(context),
        }));
        return (
          <>
            <PartList {...list} title={t('analytics.models')} rows={models.map(modelRow)} />
            <PartList {...list} title={t('analytics.accounts')} rows={contexts} />
          </>
        );
      }}
    </SourceView>
  );
}
