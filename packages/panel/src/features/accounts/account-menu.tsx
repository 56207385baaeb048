import { Menu } from '@mantine/core';
import type { AccountRow } from '../../platform/accounts/rows.ts';
import { accountTitle, type CellContext } from '../../ui/accounts/account-text.ts';
import { Button } from '../../ui/controls/button.tsx';
import { DotsIcon } from '../../ui/icons.tsx';
import { canAskQuota } from './refresh/ask-provider.ts';

export type MenuChoice =
  | 'open'
  | 'switch'
  | 'refresh'
  | 'config'
  | 'quota'
  | 'models'
  | 'tags'
  | 'signIn'
  | 'resetLimits'
  | 'download'
  | 'delete';

/** All actions on one account. */
export function AccountMenu({
  row,
  busy,
  context,
  onChoose,
}: {
  readonly row: AccountRow;
  readonly busy: boolean;
  readonly context: CellContext;
  readonly onChoose: (choice: MenuChoice, row: AccountRow) => void;
}) {
  const { t, masker } = context;
  const { account } = row;
  const item = (choice: MenuChoice, label: string, possible = true, color?: 'red') => (
    <Menu.Item
      disabled={!possible || busy}
      {...(color === undefined ? {} : { className: 'tone-bad' })}
      onClick={() => onChoose(choice, row)}
    >
      {label}
    </Menu.Item>
  );
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button kind="quiet" square aria-label={t('accounts.actionsOf', { name: accountTitle(account, masker) })}>
          <DotsIcon />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {item('open', t('accounts.open'))}
        {item(
          'switch',
          t(account.listed.disabled ? 'accounts.enable' : 'accounts.disable'),
          account.switchScope !== null,
        )}
        {item('refresh', t('accounts.refreshQuota'), canAskQuota(account))}
        {item('config', t('accountTab.config'))}
        {item('models', t('accountTab.models'))}
        {item('tags', t('accounts.editTags'))}
        {!account.runtimeOnly && item('signIn', t('accountActions.reauth'))}
        {item('resetLimits', t('accounts.resetLimits'), account.listed.authIndex !== '')}
        {item('download', t('accounts.download'), !account.runtimeOnly)}
        {item('delete', t('accounts.delete'), !account.runtimeOnly, 'red')}
      </Menu.Dropdown>
    </Menu>
  );
}
