import { useState } from 'react';
import { isUnsupported } from '../../platform/api/data-source.ts';
import { useAddress } from '../../platform/browser/address.ts';
import { useHiddenText } from '../../platform/browser/use-hidden-text.ts';
import { shown } from '../../platform/format/shown.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { AccountTabs } from '../../ui/accounts/account-tabs.tsx';
import { CollectorStatus } from '../../ui/collector/collector-status.tsx';
import { ChoiceMenu } from '../../ui/controls/choice-menu.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { DrawerSkeleton } from '../../ui/dialog/drawer-skeleton.tsx';
import { useLeaveQuestion } from '../../ui/dialog/leave-question.tsx';
import { ErrorState, UnsupportedState } from '../../ui/feedback/states.tsx';
import { Page } from '../../ui/page/page.tsx';
import { RULE_KINDS, type RuleKind } from './model/rules.ts';
import { ResolverPanel } from './resolver-panel.tsx';
import { RulesEditor } from './rules-editor.tsx';
import { RULES_ADDRESS } from './rules-search.ts';
import { useChannels, useEditRules, useKnownModels, useRuleMap } from './use-rules.ts';

const LABELS = {
  excluded: 'modelRules.excluded',
  alias: 'modelRules.alias',
  errors: 'providers.errors',
} as const satisfies Record<RuleKind, TextKey>;

const FORM_PARAMETERS: readonly string[] = ['editor', 'editorProvider', 'view'];

/** Which models the accounts of a provider offer, under which names, and what their errors do. */
export function ModelRulesPage() {
  const { t } = useText();
  const { search, change } = useAddress(RULES_ADDRESS);
  const { editor, editorProvider: channel } = search;
  const excluded = useRuleMap('excluded');
  const alias = useRuleMap('alias');
  const errors = useRuleMap('errors');
  const maps = { excluded, alias, errors };
  const channels = useChannels([excluded, alias, errors]);
  const known = useKnownModels([channel]).get(channel);
  const edit = useEditRules(editor, channel);
  const [dirty, setDirty] = useState(false);
  const [model, onModel] = useHiddenText(search.model, (written) => change({ model: written }, true));
  const { question } = useLeaveQuestion(dirty, FORM_PARAMETERS);
  const query = maps[editor];
  const refresh = () => {
    for (const map of [excluded, alias, errors]) void map.refetch();
  };
  const ruled = (name: string) => {
    const count = query.data?.get(name)?.length ?? 0;
    return count === 0 ? shown(name) : `${shown(name)} · ${count}`;
  };
  return (
    <Page
      title={t('modelRules.title')}
      state={<CollectorStatus />}
      tabs={<AccountTabs view="rules" />}
      refresh={{ busy: query.isFetching, onRefresh: refresh }}
    >
      {question}
      <search className="filter-bar">
        <Segmented
          label={t('modelRules.kind')}
          value={editor}
          options={RULE_KINDS.map((kind) => ({ value: kind, label: t(LABELS[kind]) }))}
          onChange={(kind) => change({ editor: kind })}
        />
        <ChoiceMenu
          title={t('providers.provider')}
          value={channel}
          choices={channels.includes(channel) ? channels : [...channels, channel]}
          name={ruled}
          onChange={(next) => change({ editorProvider: next })}
        />
      </search>
      <section className="panel" aria-label={t('modelRules.title')}>
        {query.data !== undefined ? (
          <RulesEditor
            key={`${editor} ${channel}`}
            kind={editor}
            stored={{ channel, rules: query.data.get(channel) ?? [] }}
            known={known}
            edit={edit}
            onDirty={setDirty}
          />
        ) : isUnsupported(query.error) ? (
          <UnsupportedState title={t('modelRules.old')} text={t('clientKeys.oldText')} />
        ) : query.error === null ? (
          <DrawerSkeleton />
        ) : (
          <ErrorState title={t('modelRules.failed')} error={query.error} onRetry={() => void query.refetch()} />
        )}
      </section>
      <ResolverPanel model={model} excluded={excluded.data} aliases={alias.data} onModel={onModel} />
    </Page>
  );
}
