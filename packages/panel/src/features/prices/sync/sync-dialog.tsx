import type { PriceMap } from '@manager/core/pricing/price';
import { Box } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useServices } from '../../../platform/api/services.ts';
import { shown } from '../../../platform/format/shown.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { failureText } from '../../../ui/feedback/states.tsx';
import { toggled } from '../../../ui/table/rows.ts';
import { type SyncOutcome, syncPrices } from '../save-prices.ts';
import { useGatewayModels, usePriceUsage, usePriceWriter } from '../use-price-data.ts';
import { syncChoice } from './sync-choice.ts';
import { SyncResult } from './sync-result.tsx';

interface SyncDialogProps {
  readonly opened: boolean;
  readonly prices: PriceMap;
  readonly onClose: () => void;
  readonly onSynced: (outcome: SyncOutcome) => void;
}

/** Selects models, asks the catalogs, shows the changes and can undo them. */
export function SyncDialog(props: SyncDialogProps) {
  const { t } = useText();
  const [busy, setBusy] = useState(false);
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={t('prices.sync')} size="review" locked={busy}>
      {/* Mounted with the dialog: a result does not outlive it. */}
      <SyncForm {...props} busy={busy} onBusy={setBusy} />
    </Dialog>
  );
}

function SyncForm({
  prices,
  onClose,
  onSynced,
  busy,
  onBusy,
}: SyncDialogProps & { readonly busy: boolean; readonly onBusy: (busy: boolean) => void }) {
  const { t } = useText();
  const { manager } = useServices();
  const writer = usePriceWriter();
  const usage = usePriceUsage();
  const gateway = useGatewayModels(true);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useState<unknown>(null);
  const [outcome, setOutcome] = useState<SyncOutcome | null>(null);
  const choice = useMemo(() => syncChoice(prices, usage.data, gateway.data), [prices, usage.data, gateway.data]);

  const sync = async () => {
    onBusy(true);
    setFailure(null);
    try {
      const done = await syncPrices(manager, choice.models, ticked);
      setOutcome(done);
      onSynced(done);
      await writer.show(done.after);
    } catch (error) {
      setFailure(error);
    } finally {
      onBusy(false);
    }
  };
  const failed = failureText(failure);
  const error = failure !== null && (
    <div role="alert">
      <p className="form-error">{t(failed.key, failed.values)}</p>
      {failure instanceof Error && <div className="technical">{failure.message.split('; ').join('\n')}</div>}
    </div>
  );
  if (outcome !== null) {
    return <SyncResult outcome={outcome} onClose={onClose} />;
  }
  return (
    <>
      <p className="dialog-text">{t('prices.syncText', { count: choice.models.length })}</p>
      {gateway.error !== null && <p className="small ink-3">{t('prices.gatewayFailed')}</p>}
      {choice.handSet.length > 0 && (
        <Box component="fieldset" mt="lg" mah={240} style={{ overflowY: 'auto' }}>
          <legend className="medium">{t('prices.handSet')}</legend>
          <p className="small ink-3">{t('prices.handSetHint')}</p>
          {choice.handSet.map((model) => (
            <label key={model} className="tick">
              <input
                type="checkbox"
                checked={ticked.has(model)}
                disabled={busy}
                onChange={() => setTicked(toggled(ticked, model))}
              />
              <span className="ellipsis">{shown(model)}</span>
            </label>
          ))}
        </Box>
      )}
      {error}
      <div className="dialog-actions">
        <span role="status" className="small ink-3">
          {busy && t('prices.syncing')}
        </span>
        <span className="spacer" />
        <Button onClick={onClose} disabled={busy}>
          {t('common.cancel')}
        </Button>
        <Button
          kind="primary"
          data-autofocus
          disabled={busy || choice.models.length === 0}
          aria-busy={busy}
          onClick={() => void sync()}
        >
          {t('prices.syncNow')}
        </Button>
      </div>
    </>
  );
}
