import type { ApiKeyStats, ModelSubRow } from '@manager/core/contract/monitoring/sections';
import { fromQuery } from '../../../platform/api/data-source.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { wholeRows } from '../../../platform/requests/row-parts.ts';
import { addUpSums, usageSums } from '../../../platform/requests/usage-sums.ts';
import { Block } from '../../../ui/feedback/block.tsx';
import { SourceView } from '../../../ui/feedback/source-view.tsx';
import type { TabProps } from '../tab-props.ts';
import { useAnalytics } from '../use-scope.ts';
import { useUnsupported } from '../use-unsupported.ts';
import { PartList } from './part-list.tsx';
import { accountLabel, keylessAccounts, modelRow, NO_KEY, rankValue, type UsageRow } from './usage-rows.ts';
import { useNaming } from './use-naming.ts';

export type EntityKind = 'apiKeys' | 'credentials';

/** Rows of client keys and accounts. */
export type EntityRow = UsageRow & { readonly ids: readonly string[] };

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
  const { ids } = row;
  const isOwn = ({ id, api_key_hash }: ApiKeyStats) => ids.includes(id) || (row.key === NO_KEY && api_key_hash === '');
  const source = fromQuery(
    useAnalytics({
      part: `${kind} ${ids.join()}`,
      scope: search.scope,
      zone,
      granularity: 'auto',
      known: options.selectors?.api_key_hashes,
      enabled: !options.waiting,
      include: () => ({ ...SECTIONS[kind], ...wholeRows(ids) }),
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
        const ownKeys = keys.filter(isOwn);
        const found = [...ownKeys, ...accounts.filter(({ id }) => ids.includes(id))];
        const contexts = ownKeys.flatMap((key) => (key.api_key_hash === '' ? [] : (key.contexts ?? [])));
        const used = contexts.map((context) => ({
          key: context.id,
          name: accountLabel(context, naming),
          plainName: context.id,
          detail: context.auth_provider_snapshot ?? '',
          ...usageSums(context),
        }));
        return (
          <>
            <PartList {...list} title={t('analytics.models')} rows={modelsOf(found)} />
            <PartList {...list} title={t('analytics.accounts')} rows={[...used, ...keylessAccounts(ownKeys, naming)]} />
          </>
        );
      }}
    </SourceView>
  );
}

/** Of several rows added up. */
function modelsOf(rows: readonly { readonly models?: readonly ModelSubRow[] | undefined }[]): readonly UsageRow[] {
  const byModel = Map.groupBy(
    rows.flatMap(({ models = [] }) => models),
    ({ model }) => model,
  );
  return [...byModel.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...modelRow(first), ...addUpSums([first, ...others].map(usageSums)) }],
  );
}
