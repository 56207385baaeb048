import type { InspectionResult } from '@manager/core/contract/inspection/runs';
import { Stack } from '@mantine/core';
import { useState } from 'react';
import { shown } from '../../platform/format/shown.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { ConfirmDialog } from '../../ui/dialog/dialog.tsx';
import { Status } from '../../ui/display/status.tsx';
import { ACTION_WORDS } from '../../ui/inspection/words.ts';
import type { Batch } from './batch.ts';
import { BatchNotes } from './batch-dialog.tsx';
import { accountText } from './results/result-columns.tsx';
import { openSuggestions, suggestionBatch } from './suggestions.ts';

interface SuggestionsDialogProps {
  readonly opened: boolean;
  readonly all: readonly InspectionResult[];
  readonly credits: ReadonlyMap<number, number>;
  readonly onConfirm: (batch: Batch) => void;
  readonly onClose: () => void;
}

/** Every suggestion of the run with its account, all ticked: one confirmation for all. A deletion among them must be typed. */
export function SuggestionsDialog({ opened, all, credits, onConfirm, onClose }: SuggestionsDialogProps) {
  const { t } = useText();
  const masker = useMasker();
  // What was taken out; a suggestion that comes later is ticked like the others.
  const [out, setOut] = useState<ReadonlySet<number>>(new Set());
  const suggestions = openSuggestions(all);
  const ticked = new Set(suggestions.map(({ id }) => id).filter((id) => !out.has(id)));
  const batch = suggestionBatch(all, ticked);
  const deletes = batch.results.some(({ action }) => action === 'delete');
  const close = () => {
    setOut(new Set());
    onClose();
  };
  const toggle = (id: number) => {
    const next = new Set(out);
    if (!next.delete(id)) next.add(id);
    setOut(next);
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={t('inspection.carryOutAll')}
      confirmLabel={t('inspection.carryOut', { count: batch.results.length })}
      onConfirm={() => onConfirm(batch)}
      disabled={batch.results.length === 0}
      size="review"
      {...(deletes ? { danger: true, typedWord: 'DELETE' } : {})}
    >
      <p>{t(deletes ? 'inspection.carryOutDeletes' : 'inspection.carryOutText')}</p>
      <BatchNotes batch={batch} credits={credits} />
      <Stack
        component="ul"
        gap={0}
        mah="40vh"
        className="box"
        style={{ overflowY: 'auto' }}
        aria-label={t('inspection.suggestions')}
      >
        {suggestions.map((result) => (
          <li key={result.id}>
            <label className="row" style={{ minHeight: 28, flexWrap: 'wrap', overflowWrap: 'anywhere' }}>
              <input type="checkbox" checked={ticked.has(result.id)} onChange={() => toggle(result.id)} />
              <Status tone={ACTION_WORDS[result.action].tone}>{t(ACTION_WORDS[result.action].label)}</Status>
              <span>{accountText(result, masker)}</span>
              <span className="small ink-3 mono">{shown(masker.file(result.fileName))}</span>
            </label>
          </li>
        ))}
      </Stack>
    </ConfirmDialog>
  );
}
