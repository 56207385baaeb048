import type { Budget, BudgetState } from '@manager/core/contract/budgets';
import { BUDGET_LIMITS, BUDGET_SCOPES } from '@manager/core/contract/constants';
import { Select, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { useText } from '../../../platform/i18n/index.ts';
import { type BudgetChange, useChangeBudget } from '../../../platform/queries/budgets.ts';
import { useKeyNames } from '../../../platform/queries/queries.ts';
import { keyName } from '../../../platform/requests/event-view.ts';
import { fitsRange, type NumberRange } from '../../../platform/wording/number-range.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { NumberField } from '../../../ui/controls/number-field.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { failureText } from '../../../ui/feedback/states.tsx';
import type { BudgetChoices } from './budget-names.ts';

const AMOUNT: NumberRange = { least: 0.01, most: BUDGET_LIMITS.usd, decimals: 2 };
const SCOPES = { all: 'budget.all', client_key: 'report.key', model: 'report.model' } as const;

interface BudgetDialogProps {
  /** null = closed. */
  readonly edited: BudgetState | 'new' | null;
  readonly choices: BudgetChoices;
  /** Of a new budget. */
  readonly zone: string;
  readonly onClose: () => void;
}

/** Adds, changes or removes one budget. */
export function BudgetDialog({ edited, choices, zone, onClose }: BudgetDialogProps) {
  const { t } = useText();
  const [busy, setBusy] = useState(false);
  const before = edited === null || edited === 'new' ? null : edited;
  return (
    <Dialog
      opened={edited !== null}
      onClose={onClose}
      title={t(before === null ? 'budget.add' : 'budget.edit')}
      locked={busy}
      held
    >
      {/* Mounted with the dialog: what was typed does not outlive it. */}
      <BudgetForm
        key={before === null ? 'new' : `${before.scope} ${before.name}`}
        before={before}
        choices={choices}
        zone={zone}
        onClose={onClose}
        onBusy={setBusy}
      />
    </Dialog>
  );
}

interface BudgetFormProps extends Pick<BudgetDialogProps, 'choices' | 'zone' | 'onClose'> {
  /** null = a new one. */
  readonly before: BudgetState | null;
  readonly onBusy: (busy: boolean) => void;
}

function BudgetForm({ before, choices, zone, onClose, onBusy }: BudgetFormProps) {
  const { t } = useText();
  const keyNames = useKeyNames();
  const id = useId();
  const [scope, setScope] = useState<Budget['scope']>(before?.scope ?? 'all');
  const [key, setKey] = useState<string | null>(before?.scope === 'client_key' ? before.name : null);
  const [model, setModel] = useState(before?.scope === 'model' ? before.name : '');
  const [usd, setUsd] = useState<number | null>(before?.usd ?? null);
  const [insist, setInsist] = useState(false);
  const { mutateAsync, isPending, error } = useChangeBudget();
  const name = scope === 'all' ? '' : scope === 'client_key' ? (key ?? '') : model.trim();
  const named = scope === 'all' || name !== '';
  const keys = before?.scope === 'client_key' ? [...new Set([before.name, ...choices.keys])] : choices.keys;
  const change = async (next: BudgetChange) => {
    onBusy(true);
    try {
      await mutateAsync(next);
      onClose();
    } catch {
      // Shown below.
    } finally {
      onBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setInsist(true);
    if (!named || usd === null || !fitsRange(usd, AMOUNT) || isPending) return;
    void change({ before, after: { scope, name, usd, timeZone: before?.timeZone ?? zone } });
  };
  const failure = error === null ? null : failureText(error);
  const missing = insist && !named && t('budget.nameMissing');
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Segmented
          label={t('budget.for')}
          value={scope}
          options={BUDGET_SCOPES.map((value) => ({ value, label: t(SCOPES[value]) }))}
          onChange={setScope}
        />
        {scope === 'client_key' && (
          <Select
            size="sm"
            label={t('report.key')}
            data={keys.map((hash) => ({ value: hash, label: keyName(hash, keyNames) }))}
            value={key}
            error={missing}
            searchable
            onChange={setKey}
          />
        )}
        {scope === 'model' && (
          <TextInput
            size="sm"
            label={t('report.model')}
            list={`${id}-models`}
            value={model}
            maxLength={BUDGET_LIMITS.name}
            error={missing}
            onChange={(event) => setModel(event.currentTarget.value)}
          />
        )}
        <NumberField
          size="sm"
          label={t('budget.amount')}
          description={t('budget.amountHint', { zone: before?.timeZone ?? zone })}
          unit="USD"
          range={AMOUNT}
          value={usd}
          insist={insist}
          data-autofocus
          onChange={setUsd}
        />
        <datalist id={`${id}-models`}>
          {choices.models.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {failure !== null && (
          <p className="tone-bad" role="alert">
            {t(failure.key, failure.values)}
          </p>
        )}
      </Stack>
      <div className="dialog-actions">
        {before !== null && (
          <Button disabled={isPending} onClick={() => void change({ before, after: null })}>
            {t('budget.remove')}
          </Button>
        )}
        <Button disabled={isPending} onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button kind="primary" type="submit" disabled={isPending} aria-busy={isPending}>
          {t('budget.save')}
        </Button>
      </div>
    </form>
  );
}
