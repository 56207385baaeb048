import { EXECUTABLE_ACTIONS } from '@manager/core/contract/constants';
import type { ExecutableAction, InspectionOutcome } from '@manager/core/contract/inspection/runs';
import { useMemo, useState } from 'react';
import { NONE } from '../../platform/format/format.ts';
import { shown } from '../../platform/format/shown.ts';
import { type TextKey, type Translate, useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Status } from '../../ui/display/status.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { ACTION_WORDS, STATE_WORDS } from '../../ui/inspection/words.ts';
import { TablePanel } from '../../ui/table/table-panel.tsx';
import type { TableColumn } from '../../ui/table/types.ts';
import { countOutcomes } from './batch.ts';
import type { ActedBatch } from './use-inspection.ts';

const RUNNING: Readonly<Record<ExecutableAction, TextKey>> = {
  delete: 'inspection.deleting',
  disable: 'inspection.disabling',
  enable: 'inspection.enabling',
};

/** Outcome of the last batch, in total and per account. */
export function OutcomePanel({ acted, onClose }: { readonly acted: ActedBatch; readonly onClose: () => void }) {
  const { t } = useText();
  const { command, count, outcomes } = acted;
  const [all, setAll] = useState(false);
  if (outcomes === null)
    return <Note tone="wait" fact={t(command === null ? 'inspection.carryingOut' : RUNNING[command], { count })} />;
  const counts = countOutcomes(outcomes);
  const worst = counts.failed > 0 ? 'bad' : counts.needs_review > 0 ? 'warn' : 'ok';
  const parts = [
    counts.failed > 0 ? t('inspection.outcomeFailed', { count: counts.failed }) : '',
    counts.needs_review > 0 ? t('inspection.outcomeReview', { count: counts.needs_review }) : '',
    counts.skipped > 0 ? t('inspection.outcomeSkipped', { count: counts.skipped }) : '',
  ].filter(Boolean);
  // Failures are visible without expanding.
  const open = all || worst !== 'ok';
  return (
    <>
      <Note
        tone={worst}
        fact={doneText(outcomes, command, t)}
        action={
          <>
            {!open && (
              <Button kind="quiet" onClick={() => setAll(true)}>
                {t('common.details')}
              </Button>
            )}
            <Button onClick={onClose}>{t('common.close')}</Button>
          </>
        }
      >
        {parts.join(' ')}
      </Note>
      {open && <OutcomeTable outcomes={outcomes} />}
    </>
  );
}

const DONE: Readonly<Record<ExecutableAction, TextKey>> = {
  disable: 'accountDone.disabledMany',
  enable: 'accountDone.enabledMany',
  delete: 'accountDone.deletedMany',
};

/** What was done, counted by what it was. */
function doneText(outcomes: readonly InspectionOutcome[], command: ExecutableAction | null, t: Translate): string {
  const texts = EXECUTABLE_ACTIONS.flatMap((action) => {
    const count = outcomes.filter((outcome) => outcome.status === 'success' && outcome.action === action).length;
    return count === 0 ? [] : [t(DONE[action], { count })];
  });
  if (texts.length > 0) return texts.join(' ');
  return command === null ? t('inspection.nothingChanged') : t(DONE[command], { count: 0 });
}

function OutcomeTable({ outcomes }: { readonly outcomes: readonly InspectionOutcome[] }) {
  const { t } = useText();
  const masker = useMasker();
  const columns = useMemo((): readonly TableColumn<InspectionOutcome>[] => {
    const account = ({ displayAccount, fileName }: InspectionOutcome) =>
      shown(displayAccount === fileName ? masker.file(fileName) : masker.account(displayAccount));
    const problem = ({ error }: InspectionOutcome) => shown(masker.text(error ?? ''));
    return [
      {
        id: 'status',
        label: t('inspection.outcome'),
        width: 128,
        cell: ({ status }) => <Status tone={STATE_WORDS[status].tone}>{t(STATE_WORDS[status].label)}</Status>,
        exported: ({ status }) => status,
      },
      {
        id: 'action',
        label: t('inspection.action'),
        width: 104,
        cell: ({ action }) => t(ACTION_WORDS[action].label),
        exported: ({ action }) => action,
      },
      {
        id: 'account',
        label: t('filter.account'),
        width: null,
        cell: account,
        title: account,
        exported: account,
      },
      {
        id: 'file',
        label: t('filter.file'),
        width: null,
        priority: 1,
        cell: ({ fileName }) => shown(masker.file(fileName)),
        title: ({ fileName }) => masker.file(fileName),
        exported: ({ fileName }) => masker.file(fileName),
      },
      {
        id: 'error',
        label: t('inspection.reason'),
        width: null,
        minWidth: 200,
        cell: (outcome) => problem(outcome) || NONE,
        title: (outcome) => problem(outcome) || undefined,
        exported: problem,
      },
    ];
  }, [t, masker]);
  return (
    <TablePanel
      title={t('inspection.outcomes')}
      source={{ data: outcomes, error: null, atMs: null, busy: false, retry: () => undefined }}
      columns={columns}
      rowKey={({ resultId }) => String(resultId)}
      rowName={({ displayAccount }) => masker.account(displayAccount)}
      narrow={(outcome) => ({
        lead: <Status tone={STATE_WORDS[outcome.status].tone}>{t(STATE_WORDS[outcome.status].label)}</Status>,
        leadBelow: t(ACTION_WORDS[outcome.action].label),
        main: shown(masker.account(outcome.displayAccount)),
        mainBelow: shown(masker.text(outcome.error ?? '')),
      })}
      maxHeight={240}
      empty={{ title: t('inspection.noOutcome'), text: t('inspection.noOutcomeText') }}
      errorTitle={t('inspection.runFailed')}
      exportName="health-outcomes"
    />
  );
}
