import { Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readAccounts } from '../../../platform/accounts/account.ts';
import { ACCOUNTS_KEY, changeFields, downloadFile, listFiles } from '../../../platform/accounts/account-calls.ts';
import type { AccountRow } from '../../../platform/accounts/rows.ts';
import { useServices } from '../../../platform/api/services.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { accountTitle, type CellContext, fullMoment } from '../../../ui/accounts/account-text.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog/dialog.tsx';
import { readLastRefresh } from '../model/config-form.ts';

const POLLS = 15;
const POLL_MS = 1_000;

/** Marks the token as expired at the gateway, so that it gets a new one; then checks whether it did. */
export function TokenRefresh({
  row,
  fileRefreshMs,
  context,
}: {
  readonly row: AccountRow;
  /** By the file, for gateways that do not list it. */
  readonly fileRefreshMs: number | null;
  readonly context: CellContext;
}) {
  const { t } = useText();
  const { client } = useServices();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [result, setResult] = useState<'none' | 'waiting' | 'done' | 'unseen'>('none');
  const { account } = row;
  const [seenMs, setSeenMs] = useState<number | null>(null);
  const lastRefreshMs = seenMs ?? account.lastRefreshMs ?? fileRefreshMs;
  const readAgain = async (): Promise<number | null> => {
    const listed = readAccounts(await listFiles(client)).find(({ key }) => key === account.key)?.lastRefreshMs ?? null;
    return listed ?? readLastRefresh(await downloadFile(client, account.listed.name));
  };
  const refresh = async () => {
    const before = lastRefreshMs;
    const past = new Date(client.now() - 60_000).toISOString();
    await changeFields(client, account, { expired: past, last_refresh: past });
    setResult('waiting');
    void watch(before, Date.parse(past));
  };
  const watch = async (before: number | null, writtenMs: number) => {
    for (let poll = 0; poll < POLLS; poll += 1) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      try {
        const now = await readAgain();
        if (now !== null && now !== before && now > writtenMs + 1_000) {
          setSeenMs(now);
          setResult('done');
          await queries.invalidateQueries({ queryKey: [ACCOUNTS_KEY, 'files'] });
          return;
        }
      } catch {
        // Tried again.
      }
    }
    setResult('unseen');
    await queries.invalidateQueries({ queryKey: [ACCOUNTS_KEY, 'files'] });
  };
  return (
    <section>
      <h2>{t('tokenRefresh.title')}</h2>
      <p className="ink-2">
        {lastRefreshMs === null
          ? t('tokenRefresh.never')
          : t('tokenRefresh.last', { time: fullMoment(lastRefreshMs, context) })}
      </p>
      <Group mt="sm">
        <Button disabled={result === 'waiting'} aria-busy={result === 'waiting'} onClick={() => setAsking(true)}>
          {t('tokenRefresh.action')}
        </Button>
        <span className="small ink-2" role="status">
          {result === 'waiting' && t('tokenRefresh.waiting')}
          {result === 'done' && t('tokenRefresh.done')}
          {result === 'unseen' && t('tokenRefresh.unseen')}
        </span>
      </Group>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('tokenRefresh.title')}
        confirmLabel={t('tokenRefresh.action')}
        onConfirm={refresh}
      >
        <p>{accountTitle(account, context.masker)}</p>
        <p>{t('tokenRefresh.text')}</p>
      </ConfirmDialog>
    </section>
  );
}
