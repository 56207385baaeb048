import { Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type Account, readAccounts } from '../../../platform/accounts/account.ts';
import { listFiles } from '../../../platform/accounts/account-calls.ts';
import { useServices } from '../../../platform/api/services.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { accountTitle, fileTitle } from '../../../ui/accounts/account-text.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDialog, Dialog } from '../../../ui/dialog/dialog.tsx';
import { ErrorState } from '../../../ui/feedback/states.tsx';
import { type FileScope, fileScopes, sameScopes } from './file-scope.ts';

interface DeleteDialogProps {
  /** Accounts whose files are to be deleted; null = closed. */
  readonly accounts: readonly Account[] | null;
  readonly onConfirm: (scopes: readonly FileScope[]) => void;
  readonly onClose: () => void;
}

type Preview =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'ready'; readonly scopes: readonly FileScope[]; readonly changed: boolean };

/**
 * Lists every account in every file before it is deleted. The list is reloaded before the preview and before the deletion; if it
 * has changed in between, nothing is deleted and the new scope is shown.
 */
export function DeleteDialog({ accounts, onConfirm, onClose }: DeleteDialogProps) {
  const { t } = useText();
  const { client } = useServices();
  const [preview, setPreview] = useState<Preview>({ kind: 'loading' });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` starts another request.
  useEffect(() => {
    if (accounts === null) return;
    const controller = new AbortController();
    setPreview({ kind: 'loading' });
    listFiles(client, controller.signal).then(
      (answer) => setPreview({ kind: 'ready', scopes: fileScopes(readAccounts(answer), accounts), changed: false }),
      (error) => {
        if (!controller.signal.aborted) setPreview({ kind: 'failed', error });
      },
    );
    return () => controller.abort();
  }, [accounts, client, attempt]);

  const title = t('accountDelete.title');
  if (accounts === null || preview.kind !== 'ready') {
    return (
      <Dialog opened={accounts !== null} onClose={onClose} title={title} size="review">
        {preview.kind === 'failed' ? (
          <ErrorState
            title={t('accounts.loadFailed')}
            error={preview.error}
            onRetry={() => setAttempt((count) => count + 1)}
          />
        ) : (
          <div
            className="skeleton"
            style={{ width: 240, margin: '12px 0' }}
            role="status"
            aria-label={t('table.loading')}
          />
        )}
      </Dialog>
    );
  }
  const { scopes, changed } = preview;
  if (scopes.length === 0) {
    return (
      <Dialog opened onClose={onClose} title={title} actions={<Button onClick={onClose}>{t('common.close')}</Button>}>
        {t('accountDelete.gone')}
      </Dialog>
    );
  }
  const confirm = async () => {
    const now = fileScopes(readAccounts(await listFiles(client)), accounts);
    if (!sameScopes(scopes, now)) {
      setPreview({ kind: 'ready', scopes: now, changed: true });
      throw new ScopeChanged();
    }
    onConfirm(scopes);
  };
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={title}
      size="review"
      danger
      typedWord={scopes.length > 1 ? String(scopes.length) : 'DELETE'}
      confirmLabel={t('accountDelete.confirm', { count: scopes.length })}
      onConfirm={confirm}
      failure={(error) => (error instanceof ScopeChanged ? t('accountDelete.changed') : null)}
    >
      <ScopeList scopes={scopes} changed={changed} />
    </ConfirmDialog>
  );
}

class ScopeChanged extends Error {}

function ScopeList({ scopes, changed }: { readonly scopes: readonly FileScope[]; readonly changed: boolean }) {
  const { t } = useText();
  const masker = useMasker();
  return (
    <>
      <p>{t('accountDelete.text', { count: scopes.length })}</p>
      {changed && <p className="tone-bad">{t('accountDelete.newScope')}</p>}
      <Stack component="ul" gap="sm" mah="50vh" my="sm" style={{ overflowY: 'auto' }} className="wrap">
        {scopes.map(({ file, members, chosen }) => {
          const [first] = members;
          return (
            <li key={file}>
              <span className="mono">{first === undefined ? '' : fileTitle(first, masker)}</span>
              {members.length > chosen && (
                <div className="tone-warn">{t('accountDelete.more', { count: members.length - chosen })}</div>
              )}
              <ul>
                {members.map((member) => (
                  <li key={member.key} className="small ink-2">
                    {accountTitle(member, masker)} · {member.listed.provider}
                  </li>
                ))}
              </ul>
            </li>
          );
        })}
      </Stack>
    </>
  );
}
