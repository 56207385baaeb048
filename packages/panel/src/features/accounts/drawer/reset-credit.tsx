import { Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ACCOUNTS_KEY } from '../../../platform/accounts/account-calls.ts';
import type { ResetCredits } from '../../../platform/accounts/quota.ts';
import type { AccountRow } from '../../../platform/accounts/rows.ts';
import { useServices } from '../../../platform/api/services.ts';
import { shown } from '../../../platform/format/shown.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { accountTitle, type CellContext, fullMoment } from '../../../ui/accounts/account-text.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog/dialog.tsx';
import { askThrough } from '../refresh/ask.ts';
import { consumeCredit } from '../refresh/codex.ts';
import { QuotaError } from '../refresh/observed-windows.ts';
import { randomId } from '../refresh/random-id.ts';
import { refreshQuota } from '../refresh/refresh-quota.ts';

/** Credits that reset the quota of a Codex account; using one cannot be undone. */
export function ResetCredit({
  row,
  credits,
  context,
}: {
  readonly row: AccountRow;
  readonly credits: ResetCredits;
  readonly context: CellContext;
}) {
  const { t } = useText();
  const { client } = useServices();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  // One press uses one credit, even if the request is sent again.
  const [requestId, setRequestId] = useState('');
  const { account } = row;
  const expiry =
    credits.nextExpiryMs === null ? '' : t('resetCredit.expires', { time: fullMoment(credits.nextExpiryMs, context) });
  const consume = async () => {
    const ask = askThrough(client, new AbortController().signal);
    await consumeCredit(ask, account, requestId);
    // The provider's present answer counts.
    await refreshQuota(client, queries, ask, account);
    await queries.invalidateQueries({ queryKey: [ACCOUNTS_KEY, 'windows'] });
  };
  return (
    <section>
      <h2>{t('resetCredit.title')}</h2>
      <p className="ink-2">{[t('resetCredit.count', { count: credits.count }), expiry].filter(Boolean).join(' · ')}</p>
      {credits.count > 0 && (
        <Group mt="sm">
          <Button
            onClick={() => {
              setRequestId(randomId());
              setAsking(true);
            }}
          >
            {t('resetCredit.use')}
          </Button>
        </Group>
      )}
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('resetCredit.use')}
        confirmLabel={t('resetCredit.use')}
        danger
        onConfirm={consume}
        failure={(error) =>
          error instanceof QuotaError
            ? t('resetCredit.failed', {
                status: error.status || '–',
                text: shown(context.masker.text(error.message), 200),
              })
            : null
        }
      >
        <p>{accountTitle(account, context.masker)}</p>
        <p>{[t('resetCredit.count', { count: credits.count }), expiry].filter(Boolean).join(' · ')}</p>
        <p>{t('resetCredit.text')}</p>
      </ConfirmDialog>
    </section>
  );
}
