import { Stack } from '@mantine/core';
import { useState } from 'react';
import { shown } from '../../../platform/format/shown.ts';
import { type TextKey, type Translate, useText } from '../../../platform/i18n/index.ts';
import { useMasker } from '../../../platform/preferences/masking.ts';
import { accountTitle } from '../../../ui/accounts/account-text.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { Note } from '../../../ui/feedback/note.tsx';
import { MISSES, type Miss } from './refresh-quota.ts';
import type { QuotaRefresh } from './use-quota-refresh.ts';

const MISS_WORDS: Readonly<Record<Miss, TextKey>> = {
  refused: 'quotaRefresh.refused',
  busy: 'quotaRefresh.busy',
  unreadable: 'quotaRefresh.unreadable',
  unreached: 'quotaRefresh.unreached',
};

/** Progress of the refresh, and the failed accounts. */
export function RefreshNote({ refresh }: { readonly refresh: QuotaRefresh }) {
  const { t } = useText();
  const masker = useMasker();
  const [open, setOpen] = useState(false);
  const { state } = refresh;
  if (state === null) return null;
  const { total, done, failures, running, stopped } = state;
  if (running) {
    return (
      <Note
        tone="wait"
        fact={t('quotaRefresh.running', { done, count: total })}
        action={<Button onClick={refresh.stop}>{t('quotaRefresh.stop')}</Button>}
      />
    );
  }
  const good = done - failures.length;
  return (
    <>
      <Note
        tone={failures.length > 0 ? 'warn' : 'ok'}
        fact={t(stopped ? 'quotaRefresh.stopped' : 'quotaRefresh.done', { count: good })}
        action={
          <span className="row">
            {failures.length > 0 && (
              <>
                <Button onClick={() => refresh.start(failures.map(({ account }) => account))}>
                  {t('accounts.retryFailed', { count: failures.length })}
                </Button>
                <Button onClick={() => setOpen(true)}>{t('accounts.results')}</Button>
              </>
            )}
            <Button onClick={refresh.dismiss}>{t('common.close')}</Button>
          </span>
        }
      >
        {missesText(failures, t)}
      </Note>
      <Dialog opened={open} onClose={() => setOpen(false)} title={t('accounts.results')} size="review">
        <Stack component="ul" gap="sm" mah="50vh" my="sm" style={{ overflowY: 'auto' }} className="wrap">
          {failures.map(({ account, status, miss, text }) => (
            <li key={account.key}>
              <Status tone="bad">{accountTitle(account, masker)}</Status>
              <div className="small ink-2">
                {status > 0 && `HTTP ${status} `}
                {miss === 'unreadable' && `${t('quotaRefresh.noQuota')} `}
                {shown(masker.text(text)) || (miss === 'unreadable' ? '' : t('quotaRefresh.noWords'))}
              </div>
            </li>
          ))}
        </Stack>
      </Dialog>
    </>
  );
}

/** @example missesText(…, t) // '1 refused, 1 busy' */
function missesText(failures: readonly { readonly miss: Miss }[], t: Translate): string {
  const counts = MISSES.flatMap((kind) => {
    const count = failures.filter(({ miss }) => miss === kind).length;
    return count === 0 ? [] : [t(MISS_WORDS[kind], { count })];
  });
  return counts.join(', ');
}
