import { useMemo, useRef } from 'react';
import { useAccountList } from '../../platform/accounts/use-accounts.ts';
import { fromQuery } from '../../platform/api/data-source.ts';
import { formatCount, NONE } from '../../platform/format/format.ts';
import { shown } from '../../platform/format/shown.ts';
import { titleOf } from '../../platform/gateway/providers/entry.ts';
import { KINDS } from '../../platform/gateway/providers/kinds.ts';
import { useProviderLists } from '../../platform/gateway/providers/use-provider-lists.ts';
import { type Translate, useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useGateway } from '../../platform/queries/queries.ts';
import { accountTitle } from '../../ui/accounts/account-text.ts';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { Status } from '../../ui/display/status.tsx';
import { TablePanel } from '../../ui/table/table-panel.tsx';
import type { TableColumn } from '../../ui/table/types.ts';
import { type Candidate, type Reason, resolveModel } from './model/resolve.ts';
import type { RuleMap } from './model/rules.ts';
import { useKnownModels, useServedChannels } from './use-rules.ts';

const NO_RULES: RuleMap = new Map();

function reasonText(reason: Reason, t: Translate): string {
  switch (reason.kind) {
    case 'disabled':
      return t('modelRules.isDisabled');
    case 'unavailable':
      return t('modelRules.isUnavailable');
    case 'excluded':
      return t('modelRules.isExcluded', { pattern: shown(reason.pattern) });
    case 'renamed':
      return t('modelRules.isRenamed', { alias: shown(reason.alias) });
    case 'prefix':
      return t('modelRules.needsPrefix', { prefix: shown(reason.prefix) });
    case 'unlisted':
      return t('modelRules.isUnlisted');
    case 'unknown':
      return t('modelRules.isUnknown');
  }
}

/** Who can serve a model that a client asks for. */
export function ResolverPanel({
  model,
  excluded,
  aliases,
  onModel,
}: {
  readonly model: string;
  /** undefined = not read. */
  readonly excluded: RuleMap | undefined;
  readonly aliases: RuleMap | undefined;
  readonly onModel: (model: string) => void;
}) {
  const { t } = useText();
  const masker = useMasker();
  const input = useRef<HTMLInputElement>(null);
  const accounts = useAccountList();
  const { lists } = useProviderLists();
  const known = useKnownModels(useServedChannels(lists));
  const { data: gateway } = useGateway();
  const setting = (name: string) => gateway?.settings.find((one) => one.name === name)?.value;
  const strategy = setting('routing.strategy');
  const forcePrefix = setting('force-model-prefix') === true;
  const listed = accounts.data;
  const source = fromQuery(accounts);
  const rows =
    listed === undefined || model === ''
      ? []
      : resolveModel(model, {
          accounts: listed,
          nameOf: (account) => accountTitle(account, masker),
          keys: KINDS.flatMap((kind) =>
            (lists[kind.id] ?? []).map((entry, at) => ({
              id: `${kind.id} ${at}`,
              kind,
              entry,
              name: titleOf(kind, entry),
            })),
          ),
          excluded: excluded ?? NO_RULES,
          aliases: aliases ?? NO_RULES,
          known,
          forcePrefix,
        });
  const columns = useMemo(
    (): readonly TableColumn<Candidate>[] => [
      {
        id: 'answer',
        label: t('modelRules.answer'),
        width: null,
        minWidth: 180,
        cell: ({ model: name, reason }) =>
          name === null ? (
            <Status tone="off">{reason === null ? NONE : reasonText(reason, t)}</Status>
          ) : (
            <Status tone="ok">{t('modelRules.serves', { model: shown(name) })}</Status>
          ),
        title: ({ model: name, reason }) => name ?? (reason === null ? undefined : reasonText(reason, t)),
      },
      {
        id: 'name',
        label: t('modelRules.who'),
        width: null,
        minWidth: 140,
        cell: ({ name }) => name,
        title: ({ name }) => name,
      },
      {
        id: 'channel',
        label: t('providers.provider'),
        width: 190,
        cell: ({ channel, isKey }) => `${shown(channel)} · ${t(isKey ? 'modelRules.key' : 'filter.account')}`,
      },
      { id: 'priority', label: t('providers.priority'), width: 72, right: true, cell: ({ priority }) => priority },
      {
        id: 'weight',
        label: t('providers.weight'),
        width: 72,
        right: true,
        priority: 1,
        cell: ({ weight }) => weight ?? NONE,
      },
    ],
    [t],
  );
  const able = rows.filter((row) => row.model !== null).length;
  return (
    <>
      <search className="filter-bar">
        <SearchField value={model} onChange={onModel} placeholder={t('modelRules.askPlaceholder')} input={input} />
      </search>
      <TablePanel
        title={t('modelRules.resolver')}
        subtitle={model === '' ? undefined : t('modelRules.able', { count: able, value: formatCount(able) })}
        source={{ ...source, data: listed === undefined ? undefined : rows }}
        columns={columns}
        rowKey={({ id, isKey }) => `${isKey ? 'key' : 'account'} ${id}`}
        rowName={({ name }) => name}
        narrow={(row) => ({
          main: row.name,
          mainBelow:
            row.model === null
              ? row.reason === null
                ? NONE
                : reasonText(row.reason, t)
              : t('modelRules.serves', { model: shown(row.model) }),
          value: shown(row.channel),
          valueBelow: `${t('providers.priority')} ${row.priority}`,
        })}
        empty={{ title: t('modelRules.ask'), text: t('modelRules.askText') }}
        errorTitle={t('modelRules.accountsFailed')}
        foot={
          <span className="small ink-3">
            {strategy === undefined ? t('providers.order') : t('providers.orderBy', { strategy: String(strategy) })}{' '}
            {t('modelRules.ownRules')}
          </span>
        }
      />
    </>
  );
}
