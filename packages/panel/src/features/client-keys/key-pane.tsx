import type { Ref } from 'react';
import { useManaged } from '../../platform/api/services.ts';
import { useText } from '../../platform/i18n/index.ts';
import type { RangeChoice } from '../../platform/range/range.ts';
import { Button } from '../../ui/controls/button.tsx';
import { DrawerSkeleton } from '../../ui/dialog/drawer-skeleton.tsx';
import { EmptyState, UnsupportedState } from '../../ui/feedback/states.tsx';
import { AliasForm } from './alias-form.tsx';
import { KeyDrawer } from './key-drawer.tsx';
import { earlierKeys, type KeyRow } from './key-rows.ts';
import { IdentitySection, PartsSections, UseSection } from './key-sections.tsx';
import type { Keys } from './use-client-keys.ts';
import type { KeyChanges } from './use-key-changes.ts';

interface KeyPaneProps {
  readonly row: KeyRow | null;
  readonly keys: Keys;
  readonly aliases: ReadonlyMap<string, string>;
  readonly named: boolean;
  readonly range: RangeChoice;
  readonly rangeName: string;
  readonly docked: boolean;
  readonly changes: KeyChanges;
  readonly aliasInput: Ref<HTMLInputElement>;
  readonly onRotate: () => void;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

/** Name, key, use and actions. */
export function KeyPane(props: KeyPaneProps) {
  const { row, keys, named } = props;
  const { t } = useText();
  const managed = useManaged();
  const foot = row?.state === 'active' && (
    <div className="drawer-foot">
      <Button onClick={props.onRotate}>{t('clientKeys.rotate')}</Button>
      <Button kind="danger" onClick={props.onDelete}>
        {t('clientKeys.delete')}
      </Button>
    </div>
  );
  return (
    <KeyDrawer row={row} docked={props.docked} onClose={props.onClose} foot={foot}>
      {row === null && <MissingKey loading={keys.source.data === undefined && keys.source.error === null} />}
      {row !== null && (
        <>
          {managed && (
            <section>
              {named ? (
                <AliasForm
                  key={row.hash}
                  row={row}
                  aliases={props.aliases}
                  activeHashes={keys.activeHashes}
                  changes={props.changes}
                  inputRef={props.aliasInput}
                />
              ) : (
                <UnsupportedState title={t('clientKeys.noAliases')} text={t('clientKeys.noAliasesText')} />
              )}
            </section>
          )}
          <IdentitySection row={row} />
          {managed && (
            <UseSection
              row={row}
              earlier={earlierKeys(row, keys.source.data ?? [])}
              range={props.range}
              rangeName={props.rangeName}
            />
          )}
          {row.use && <PartsSections use={row.use} range={props.range} />}
        </>
      )}
    </KeyDrawer>
  );
}

/** Placeholder of a key that is loading or unknown. */
function MissingKey({ loading }: { readonly loading: boolean }) {
  const { t } = useText();
  if (!loading) return <EmptyState title={t('clientKeys.notFound')} text={t('clientKeys.notFoundText')} />;
  return <DrawerSkeleton />;
}
