import { Group, Menu } from '@mantine/core';
import type { Account } from '../../platform/accounts/account.ts';
import { useText } from '../../platform/i18n/index.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { reachedBy } from './changes/batch.ts';
import { canAskQuota } from './refresh/ask-provider.ts';

export type BatchChoice =
  | 'enable'
  | 'disable'
  | 'refresh'
  | 'priority'
  | 'weight'
  | 'websocketsOn'
  | 'websocketsOff'
  | 'tags'
  | 'download'
  | 'delete';

/** Actions on the selected accounts. Hidden ones are counted, so that nobody changes them unknowingly. */
export function SelectionBar({
  chosen,
  hidden,
  filtered,
  busy,
  onChoose,
  onSelectAll,
  onInvert,
  onClear,
}: {
  readonly chosen: readonly Account[];
  /** Selected ones that the filters or the page hide. */
  readonly hidden: number;
  /** Rows that match the filters. */
  readonly filtered: number;
  readonly busy: boolean;
  readonly onChoose: (choice: BatchChoice) => void;
  readonly onSelectAll: () => void;
  readonly onInvert: () => void;
  readonly onClear: () => void;
}) {
  const { t } = useText();
  const item = (choice: BatchChoice, label: string, count: number) => (
    <Menu.Item disabled={busy || count === 0} onClick={() => onChoose(choice)}>
      {label}
    </Menu.Item>
  );
  const enable = reachedBy('enable', chosen).length;
  const disable = reachedBy('disable', chosen).length;
  const askable = chosen.filter(canAskQuota).length;
  const codex = reachedBy('websockets', chosen).length;
  const files = reachedBy('delete', chosen).length;
  return (
    <Group
      component="section"
      p="4px 12px"
      bg="var(--accent-ground)"
      bdrs="md"
      className="selection-bar"
      aria-label={t('accountActions.selection')}
    >
      <span role="status">
        {t('accountActions.selected', { count: chosen.length })}
        {hidden > 0 && <span className="tone-warn"> · {t('accounts.hiddenSelected', { count: hidden })}</span>}
      </span>
      <Button disabled={busy || enable === 0} aria-busy={busy} onClick={() => onChoose('enable')}>
        {t('accounts.enableCount', { count: enable })}
      </Button>
      <Button disabled={busy || disable === 0} aria-busy={busy} onClick={() => onChoose('disable')}>
        {t('accounts.disableCount', { count: disable })}
      </Button>
      <Button disabled={busy || askable === 0} aria-busy={busy} onClick={() => onChoose('refresh')}>
        {t('accounts.refreshQuota')}
      </Button>
      <Menu position="bottom-start" width={240}>
        <Menu.Target>
          <Button disabled={busy}>
            {t('accounts.more')}
            <Icon name="chevronDown" />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {item('priority', t('accounts.setPriority'), files)}
          {item('weight', t('accounts.setWeight'), files)}
          {item('websocketsOn', t('accounts.websocketsOn'), codex)}
          {item('websocketsOff', t('accounts.websocketsOff'), codex)}
          {item('tags', t('accounts.editTags'), chosen.length)}
          {item('download', t('accounts.download'), files)}
          {item('delete', t('accounts.delete'), files)}
        </Menu.Dropdown>
      </Menu>
      <span className="spacer" />
      <Button kind="quiet" disabled={busy} onClick={onSelectAll}>
        {t('accounts.selectFiltered', { count: filtered })}
      </Button>
      <Button kind="quiet" disabled={busy} onClick={onInvert}>
        {t('accounts.invert')}
      </Button>
      <Button kind="quiet" disabled={busy} onClick={onClear}>
        {t('accountActions.clearSelection')}
      </Button>
    </Group>
  );
}
