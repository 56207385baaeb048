import { Box, Group, Menu, SimpleGrid } from '@mantine/core';
import { type RefObject, useState } from 'react';
import { type DataSource, fromQuery } from '../../platform/api/data-source.ts';
import { formatCount } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ChoiceItems } from '../../ui/controls/choice-items.tsx';
import { useCopied } from '../../ui/controls/copy.tsx';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { SourceAge, SourceView } from '../../ui/feedback/source-view.tsx';
import { EmptyState } from '../../ui/feedback/states.tsx';
import { Icon } from '../../ui/icons.tsx';
import { modelsByOwner } from './system-view.ts';
import { useClientKeys, useOfferedModels } from './use-gateway.ts';

/** Models the gateway offers; it reveals them only to a client key. */
export function ModelsPanel({ searchInput }: { readonly searchInput: RefObject<HTMLInputElement | null> }) {
  const { t } = useText();
  const masker = useMasker();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [copied, copy] = useCopied();
  const keys = useClientKeys();
  const key = keys.data?.find((one) => one === chosen) ?? keys.data?.[0] ?? null;
  const models = useOfferedModels(key, keys.data !== undefined);
  // Requires the keys.
  const source: DataSource<NonNullable<typeof models.data>> =
    keys.data === undefined ? { ...fromQuery(keys), data: undefined } : fromQuery(models);
  const groups = modelsByOwner(models.data ?? [], search);
  const shownIds = groups.flatMap(({ ids }) => ids);
  return (
    <section className="panel" aria-label={t('system.models')}>
      <div className="panel-head">
        <h2>{t('system.models')}</h2>
        {models.data !== undefined && <span className="small ink-3">{formatCount(shownIds.length)}</span>}
        <SourceAge source={source} />
        <span className="spacer" />
        {keys.data !== undefined && keys.data.length > 1 && (
          <Menu position="bottom-end" width={240}>
            <Menu.Target>
              <Button kind="quiet">
                <Icon name="key" />
                {masker.key(key ?? '')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
              <ChoiceItems
                title={t('system.askedWith')}
                value={key ?? ''}
                options={keys.data.map((one) => ({ value: one, label: masker.key(one) }))}
                onChange={setChosen}
              />
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      <SourceView
        source={source}
        loading={
          <div className="panel-body">
            <span className="skeleton" style={{ display: 'block', height: 120 }} />
          </div>
        }
        errorTitle={t('system.modelsFailed')}
        unsupported={{ title: t('system.modelsOld'), text: t('system.modelsOldText') }}
      >
        {(all) =>
          all.length === 0 ? (
            <EmptyState title={t('system.noModels')} text={t('system.noModelsText')} />
          ) : (
            <div className="panel-body">
              <Group wrap="nowrap" mb="md">
                <SearchField
                  value={search}
                  onChange={setSearch}
                  placeholder={t('system.searchModels')}
                  input={searchInput}
                />
                <Button disabled={shownIds.length === 0} onClick={() => copy(shownIds.join('\n'))}>
                  <Icon name={copied ? 'check' : 'copy'} />
                  {copied ? t('common.copied') : t('system.copyModels')}
                </Button>
              </Group>
              {groups.length === 0 ? (
                <EmptyState title={t('system.noMatch')} text={t('system.noMatchText')} />
              ) : (
                groups.map(({ owner, ids }) => (
                  <Box component="section" mt="md" key={owner}>
                    <h3 className="small ink-3 medium">{owner === '' ? t('system.noOwner') : owner}</h3>
                    <SimpleGrid component="ul" mt="xs" minColWidth={180} verticalSpacing="xs">
                      {ids.map((id) => (
                        <li key={id} className="mono ellipsis" title={id}>
                          {id}
                        </li>
                      ))}
                    </SimpleGrid>
                  </Box>
                ))
              )}
            </div>
          )
        }
      </SourceView>
    </section>
  );
}
