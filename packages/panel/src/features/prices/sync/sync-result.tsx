import { Box, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../../../platform/format/format.ts';
import { shown } from '../../../platform/format/shown.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { failureText } from '../../../ui/feedback/states.tsx';
import { ChangeList } from '../change-list.tsx';
import { changesBetween, undoOf } from '../price-changes.ts';
import type { SyncOutcome } from '../save-prices.ts';
import { usePriceWriter } from '../use-price-data.ts';

type UndoState = 'possible' | 'running' | 'done' | 'conflict';

/** Changes of a sync, its sources, and the undo. */
export function SyncResult({ outcome, onClose }: { readonly outcome: SyncOutcome; readonly onClose: () => void }) {
  const { t } = useText();
  const writer = usePriceWriter();
  const [undo, setUndo] = useState<UndoState>('possible');
  const [failure, setFailure] = useState<unknown>(null);
  const { before, after, answer } = outcome;
  const changes = changesBetween(before, after);
  const takeBack = async () => {
    setUndo('running');
    setFailure(null);
    try {
      const saved = await writer.save(after, undoOf(before, after));
      setUndo(saved.kind === 'saved' ? 'done' : 'conflict');
    } catch (error) {
      setFailure(error);
      setUndo('possible');
    }
  };
  const counts = [
    [t('prices.imported'), answer.imported],
    [t('prices.preserved'), answer.preserved?.length ?? 0],
    [t('prices.toDecide'), answer.candidates?.length ?? 0],
    [t('prices.unmatched'), answer.unmatched?.length ?? 0],
    [t('prices.skipped'), answer.skipped],
  ] as const;
  const failed = failureText(failure);
  return (
    <>
      <SimpleGrid component="dl" minColWidth={96} autoFlow="auto-fit" spacing="sm" mb="lg">
        {counts.map(([label, count]) => (
          <div key={label}>
            <dt className="small ink-2">{label}</dt>
            <dd className="bold" style={{ fontSize: 16 }}>
              {formatCount(count)}
            </dd>
          </div>
        ))}
      </SimpleGrid>
      <Box component="h3" mt="lg" mb="xs">
        {t('prices.sources')}
      </Box>
      <ul>
        {answer.sourceResults.map(({ source, models, error }) => (
          <li className="row" key={source}>
            <Status tone={error === undefined ? 'okQuiet' : 'warn'}>{source}</Status>
            <span className="small ink-2 wrap">
              {error === undefined
                ? t('prices.sourceModels', { count: models, value: formatCount(models) })
                : shown(error)}
            </span>
          </li>
        ))}
      </ul>
      {answer.proxyUsed && <p className="small ink-3">{t('prices.proxyUsed')}</p>}
      <Box component="h3" mt="lg" mb="xs">
        {t('prices.changes')}
      </Box>
      {changes.length === 0 ? <p className="ink-2">{t('prices.noChanges')}</p> : <ChangeList changes={changes} />}
      {(answer.unmatched?.length ?? 0) > 0 && (
        <p className="small ink-3">
          {t('prices.unmatchedAre', {
            models: (answer.unmatched ?? [])
              .slice(0, 20)
              .map((name) => shown(name))
              .join(', '),
          })}
        </p>
      )}
      {failure !== null && (
        <p className="form-error" role="alert">
          {t(failed.key, failed.values)}
        </p>
      )}
      <div className="dialog-actions">
        <span role="status" className="small ink-3">
          {undo === 'done' && t('prices.undone')}
          {undo === 'conflict' && t('prices.undoConflict')}
        </span>
        <span className="spacer" />
        {changes.length > 0 && undo !== 'done' && (
          <Button disabled={undo !== 'possible'} aria-busy={undo === 'running'} onClick={() => void takeBack()}>
            {t('prices.undo')}
          </Button>
        )}
        <Button kind="primary" data-autofocus disabled={undo === 'running'} onClick={onClose}>
          {t('common.close')}
        </Button>
      </div>
    </>
  );
}
