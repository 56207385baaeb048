import { useMediaQuery } from '@mantine/hooks';
import { useMemo, useRef, useState } from 'react';
import { isUnsupported } from '../../platform/api/data-source.ts';
import { useManaged, useServices } from '../../platform/api/services.ts';
import { useAddress } from '../../platform/browser/address.ts';
import { isPrivateText } from '../../platform/browser/private-text.ts';
import { useHiddenText } from '../../platform/browser/use-hidden-text.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { RANGE_LABELS, rangeText } from '../../platform/range/labels.ts';
import { resolveRange } from '../../platform/range/range.ts';
import { sha256HexSync } from '../../platform/sha256.ts';
import { CollectorStatus } from '../../ui/collector/collector-status.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useCopied } from '../../ui/controls/copy.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { FailureLink, failureText } from '../../ui/feedback/states.tsx';
import { UnpricedNote } from '../../ui/feedback/unpriced-note.tsx';
import { Page } from '../../ui/page/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { CLIENT_KEYS_ADDRESS, KEY_RANGES } from './client-keys-search.ts';
import { DeleteKeyDialog } from './delete-key-dialog.tsx';
import { KeyPane } from './key-pane.tsx';
import { isPartOfKey, type KeyRow } from './key-rows.ts';
import { KeysFilters } from './keys-filters.tsx';
import { KeysTable } from './keys-table.tsx';
import { NewKeyDialog } from './new-key/new-key-dialog.tsx';
import { useKeys } from './use-client-keys.ts';
import { useKeyChanges } from './use-key-changes.ts';
import { useRemoval } from './use-removal.ts';

const NO_ROWS: readonly KeyRow[] = [];
const NO_ALIASES: ReadonlyMap<string, string> = new Map();
const NO_HASHES: ReadonlySet<string> = new Set();

/** Client keys, their owners, and their use. */
export function ClientKeysPage() {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const { client } = useServices();
  const docked = useMediaQuery('(min-width: 1360px)', false, { getInitialValueInEffect: false });
  const { search, change } = useAddress(CLIENT_KEYS_ADDRESS);
  const keys = useKeys(search.range, search.show);
  const changes = useKeyChanges();
  /** Dialog for a new key: alone, or as the successor of another one. */
  const [making, setMaking] = useState<{ readonly successorOf: KeyRow | null } | null>(null);
  const [deleting, setDeleting] = useState<KeyRow | null>(null);
  const { said, dismiss, tell } = useRemoval(changes);
  const [copied, copy] = useCopied();
  const input = useRef<HTMLInputElement>(null);
  const aliasInput = useRef<HTMLInputElement>(null);

  const rows = keys.source.data ?? NO_ROWS;
  const aliases = keys.aliases.data ?? NO_ALIASES;
  const managed = useManaged();
  const named = managed && !isUnsupported(keys.aliases.error);
  const [text, onSearch, forgetText] = useHiddenText(
    search.search,
    (written) => change({ search: written }, true),
    (typed) => isPrivateText(typed) || isPartOfKey(typed, rows),
  );
  const looked = useMemo(() => ({ text, hash: text === '' ? '' : sha256HexSync(text) }), [text]);
  const open = rows.find((row) => row.hash === search.key) ?? null;
  const unpriced = rows.reduce((sum, { use }) => sum + (use?.unpriced_calls ?? 0), 0);
  const doomed = deleting === null ? null : (rows.find(({ hash }) => hash === deleting.hash) ?? deleting);
  const range = resolveRange(search.range, client.now(), zone, KEY_RANGES.rolling);
  const rangeName =
    search.range.name === 'custom' ? rangeText(range, zone, locale) : t(RANGE_LABELS[search.range.name]);

  const clear = () => {
    forgetText();
    change({ search: '', show: 'active' });
  };
  const startNew = keys.activeHashes === null ? null : () => setMaking({ successorOf: null });
  const focused = (): KeyRow | undefined => {
    const hash = search.key || document.activeElement?.closest('[data-row]')?.getAttribute('data-row');
    return rows.find((row) => row.hash === hash);
  };
  const rename = () => {
    const row = focused();
    if (row === undefined) return;
    if (search.key === '') change({ key: row.hash });
    // The field exists once the drawer is open.
    requestAnimationFrame(() => aliasInput.current?.focus());
  };
  const close = () => change({ key: '' });
  useShortcuts({
    r: keys.refresh,
    n: () => startNew?.(),
    e: rename,
    c: () => {
      const key = focused()?.key;
      if (key != null) copy(key);
    },
    '/': () => input.current?.focus(),
    ...(search.key === '' ? {} : { Escape: close }),
  });

  const listFailure = failureText(keys.list.error);
  const aliasFailed = keys.aliases.error !== null && named;
  const aliasFailure = failureText(keys.aliases.error);
  return (
    <Page
      title={t('nav.clientKeys')}
      state={<CollectorStatus />}
      refresh={{ busy: keys.busy, onRefresh: keys.refresh }}
      docked={docked}
      drawer={
        search.key !== '' && (
          <KeyPane
            row={open}
            keys={keys}
            aliases={aliases}
            named={named}
            range={search.range}
            rangeName={rangeName}
            docked={docked}
            changes={changes}
            aliasInput={aliasInput}
            onRotate={() => setMaking({ successorOf: open })}
            onDelete={() => {
              setDeleting(open);
              // What the dialog says of its use decides.
              if (keys.stats.isEnabled) void keys.stats.refetch();
            }}
            onClose={close}
          />
        )
      }
    >
      <span role="status" className="visually-hidden">
        {copied ? t('clientKeys.keyCopied') : ''}
      </span>
      {said !== null && (
        <Note
          tone={said.tone}
          fact={said.fact}
          action={
            <span className="row">
              {said.undo !== null && <Button onClick={() => void said.undo?.()}>{t('accounts.undo')}</Button>}
              <Button onClick={dismiss}>{t('common.close')}</Button>
            </span>
          }
        >
          {said.text}
        </Note>
      )}
      {keys.list.error !== null && keys.list.data === undefined && keys.source.data !== undefined && (
        <Note
          tone="bad"
          fact={t('clientKeys.listLost')}
          action={<Button onClick={() => void keys.list.refetch()}>{t('common.tryAgain')}</Button>}
        >
          {t('clientKeys.listLostText')} {t(listFailure.key, listFailure.values)}{' '}
          <FailureLink error={keys.list.error} />
        </Note>
      )}
      {aliasFailed && (
        <Note
          tone="warn"
          fact={t('clientKeys.aliasesLost')}
          action={<Button onClick={() => void keys.aliases.refetch()}>{t('common.tryAgain')}</Button>}
        >
          {t(aliasFailure.key, aliasFailure.values)}
        </Note>
      )}
      {!named && (
        <Note tone="wait" fact={t(managed ? 'clientKeys.noAliases' : 'clientKeys.noManager')}>
          {t(managed ? 'clientKeys.noAliasesText' : 'clientKeys.noManagerText')}
        </Note>
      )}
      <UnpricedNote requests={unpriced} />
      <KeysFilters rows={rows} search={search} text={text} input={input} onChange={change} onSearch={onSearch} />
      <KeysTable
        keys={keys}
        named={named}
        show={search.show}
        search={looked}
        rangeName={rangeName}
        openKey={search.key}
        onOpen={(key) => change({ key }, search.key !== '')}
        onNew={startNew}
        onClear={clear}
      />
      <NewKeyDialog
        opened={making !== null}
        onClose={() => setMaking(null)}
        successorOf={making?.successorOf ?? null}
        rows={rows}
        aliases={aliases}
        named={named && keys.aliases.data !== undefined}
        activeHashes={keys.activeHashes ?? NO_HASHES}
        changes={changes}
        onStored={({ hash }) => {
          // The page goes on with the key that replaces the one it showed.
          if (making?.successorOf != null) change({ key: hash }, true);
        }}
      />
      <DeleteKeyDialog
        row={doomed}
        last={keys.activeHashes?.size === 1}
        rangeName={rangeName}
        changes={changes}
        onClose={() => setDeleting(null)}
        onDone={(outcome, row, dropped) => {
          // Over the page the drawer of the deleted key would cover what is said here.
          if (!docked) close();
          tell(outcome, row, dropped);
        }}
      />
    </Page>
  );
}
