import type { Account } from '../../platform/accounts/account.ts';
import type { AccountRow } from '../../platform/accounts/rows.ts';
import { shown } from '../../platform/format/shown.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { createStore } from '../../platform/store.ts';
import { accountTitle } from '../../ui/accounts/account-text.ts';
import { ConfirmDialog } from '../../ui/dialog/dialog.tsx';
import type { Command } from './changes/batch.ts';
import { DeleteDialog } from './changes/delete-dialog.tsx';
import { ValueDialog, type ValueKind } from './changes/value-dialog.tsx';
import { TagsDialog } from './tags-dialog.tsx';
import { UploadDialog } from './upload/upload-dialog.tsx';

/** The dialog to show. */
export type Asked =
  | { readonly kind: 'upload' }
  | {
      readonly kind: 'switch';
      readonly command: Extract<Command, { kind: 'enable' | 'disable' }>;
      readonly accounts: readonly Account[];
    }
  | { readonly kind: 'value'; readonly field: ValueKind; readonly accounts: readonly Account[] }
  | { readonly kind: 'tags'; readonly keys: readonly string[] }
  | { readonly kind: 'download'; readonly accounts: readonly Account[] }
  | { readonly kind: 'resetLimits'; readonly accounts: readonly Account[] }
  | { readonly kind: 'refresh'; readonly accounts: readonly Account[] }
  | { readonly kind: 'delete'; readonly accounts: readonly Account[] };

/** Whether this tab has confirmed that auth files hold secrets. */
const secretsConfirmedStore = createStore(false);

interface AccountDialogsProps {
  readonly asked: Asked | null;
  readonly rows: readonly AccountRow[];
  readonly accounts: readonly Account[];
  readonly tags: readonly string[];
  readonly onCommand: (command: Command, accounts: readonly Account[]) => void;
  readonly onRefresh: (accounts: readonly Account[]) => void;
  readonly onClose: () => void;
}

export function AccountDialogs({ asked, rows, accounts, tags, onCommand, onRefresh, onClose }: AccountDialogsProps) {
  const { t } = useText();
  const masker = useMasker();
  const download = asked?.kind === 'download' ? asked.accounts : [];
  const switched = asked?.kind === 'switch' ? asked : null;
  const off = switched?.command.kind === 'disable';
  const reset = asked?.kind === 'resetLimits' ? asked.accounts : [];
  const [first] = reset;
  return (
    <>
      <ConfirmDialog
        opened={switched !== null}
        onClose={onClose}
        title={t(off ? 'accounts.disableTitle' : 'accounts.enableTitle')}
        confirmLabel={t(off ? 'accounts.disable' : 'accounts.enable')}
        onConfirm={() => {
          if (switched !== null) onCommand(switched.command, switched.accounts);
        }}
      >
        {switched !== null && <SwitchText accounts={switched.accounts} off={off} />}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked?.kind === 'download'}
        onClose={onClose}
        title={t('accounts.downloadTitle')}
        confirmLabel={t('accounts.download')}
        onConfirm={() => {
          secretsConfirmedStore.set(true);
          onCommand({ kind: 'download' }, download);
        }}
      >
        {t('accounts.downloadText', { count: download.length })}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked?.kind === 'resetLimits'}
        onClose={onClose}
        title={t('accounts.resetLimits')}
        confirmLabel={t('accounts.resetLimitsConfirm')}
        onConfirm={() => onCommand({ kind: 'resetLimits' }, reset)}
      >
        <p>{first !== undefined && accountTitle(first, masker)}</p>
        <p>{t('accounts.resetLimitsText')}</p>
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked?.kind === 'refresh'}
        onClose={onClose}
        title={t('accounts.refreshQuota')}
        confirmLabel={t('quotaRefresh.ask')}
        onConfirm={() => {
          if (asked?.kind === 'refresh') onRefresh(asked.accounts);
        }}
      >
        {t('quotaRefresh.text', { count: asked?.kind === 'refresh' ? asked.accounts.length : 0 })}
      </ConfirmDialog>
      <ValueDialog
        kind={asked?.kind === 'value' ? asked.field : null}
        count={asked?.kind === 'value' ? asked.accounts.length : 0}
        onSave={(field, value) => {
          if (asked?.kind !== 'value') return;
          onCommand(
            field === 'weight' ? { kind: 'weight', value } : { kind: 'priority', value: value ?? 0 },
            asked.accounts,
          );
        }}
        onClose={onClose}
      />
      <TagsDialog
        rows={asked?.kind === 'tags' ? rows.filter(({ account }) => asked.keys.includes(account.key)) : null}
        known={tags}
        onClose={onClose}
      />
      <UploadDialog opened={asked?.kind === 'upload'} accounts={accounts} onClose={onClose} />
      <DeleteDialog
        accounts={asked?.kind === 'delete' ? asked.accounts : null}
        onConfirm={(scopes) => {
          const files = new Map(scopes.map(({ file, members }) => [file, members]));
          const one = scopes.flatMap(({ members }) => members.slice(0, 1));
          onCommand({ kind: 'delete', files }, one);
        }}
        onClose={onClose}
      />
    </>
  );
}

export const secretsConfirmed = secretsConfirmedStore.get;

function SwitchText({ accounts, off }: { readonly accounts: readonly Account[]; readonly off: boolean }) {
  const { t } = useText();
  const masker = useMasker();
  const wide = accounts.filter(({ switchScope }) => switchScope === 'source-file');
  return (
    <>
      <p>{t(off ? 'accounts.disableText' : 'accounts.enableText', { count: accounts.length })}</p>
      {wide.map((account) => (
        <p key={account.key} className="tone-warn">
          {t('accounts.wholeFile', { file: shown(masker.file(account.listed.name)), count: account.fileSize })}
        </p>
      ))}
    </>
  );
}
