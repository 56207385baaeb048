import type { ModelPrice, PriceMap } from '@manager/core/pricing/price';
import { Select, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { shown } from '../../../platform/format/shown.ts';
import { dateAndTime } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { FactLines } from '../../../ui/display/fact-lines.tsx';
import { failureText } from '../../../ui/feedback/states.tsx';
import { formOf, modelProblem, type PriceForm, priceFrom, problemsOf, sameForm, sameRates } from '../price-form.ts';
import { priceOf } from '../price-rows.ts';
import { sourceText } from '../price-words.ts';
import type { SavePrice } from '../save-prices.ts';
import { Calculator } from './calculator.tsx';
import { RateFields, TextField } from './rate-fields.tsx';
import { ContextTierFields, ServiceTierFields } from './tier-fields.tsx';
import { TiersDialog } from './tiers-dialog.tsx';

interface PriceEditorProps {
  /** '' = to be named here. */
  readonly model: string;
  readonly price: ModelPrice | null;
  readonly prices: PriceMap;
  readonly onDirty: (dirty: boolean) => void;
  readonly onSave: SavePrice;
  readonly onRemove: () => void;
  readonly onCancel: () => void;
  /** Between header and fields: conflict, suggestions. */
  readonly above?: ReactNode;
  /** After the fields. */
  readonly below?: ReactNode;
}

/** The price of one model as fields. Typed values are local state, so they are dropped with the drawer. */
export function PriceEditor(props: PriceEditorProps) {
  const { model, price, prices } = props;
  const { t } = useText();
  const [start] = useState(() => formOf(price));
  const [form, setForm] = useState(start);
  const [name, setName] = useState(model);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [askingTiers, setAskingTiers] = useState(false);
  const dirty = !sameForm(form, start) || (model === '' && name.trim() !== '');
  const { onDirty } = props;
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  useEffect(() => () => onDirty(false), [onDirty]);

  const found = problemsOf(form);
  const valid = Object.keys(found).length === 0;
  const nameProblem =
    modelProblem(name) ?? (model === '' && priceOf(prices, name.trim()) !== null ? 'prices.badModelTaken' : null);
  const problems = tried ? found : {};
  const change = (next: Partial<PriceForm>) => setForm({ ...form, ...next });

  const store = async (chosen: PriceForm) => {
    setAskingTiers(false);
    setBusy(true);
    setFailure(null);
    try {
      await props.onSave(model === '' ? name.trim() : model, priceFrom(chosen));
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (busy || !valid || nameProblem !== null) return;
    if (hasOldTiers(price, start, form)) setAskingTiers(true);
    else void store(form);
  };
  const copyable = Object.keys(prices).filter((other) => other !== model);
  const why = failureText(failure);
  return (
    <form style={{ display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0 }} noValidate onSubmit={submit}>
      <div className="drawer-scroll">
        {props.above}
        {model === '' && (
          <section>
            <TextField
              label={t('prices.model')}
              value={name}
              problem={tried ? (nameProblem ?? undefined) : undefined}
              autoFocus
              onChange={setName}
            />
            <p className="small ink-3">{t('prices.modelHint')}</p>
          </section>
        )}
        <section>
          <h2>{t('prices.rates')}</h2>
          <RateFields rates={form.rates} path="" problems={problems} onChange={(rates) => change({ rates })} />
          <p className="small ink-3">{t('prices.ratesHint')}</p>
          {copyable.length > 0 && (
            <Select
              label={t('prices.copyFrom')}
              placeholder={t('prices.model')}
              data={copyable}
              value={null}
              searchable
              limit={50}
              nothingFoundMessage={t('filter.nothing')}
              onChange={(other) => {
                if (other !== null) setForm(formOf(priceOf(prices, other)));
              }}
            />
          )}
        </section>
        <ContextTierFields form={form} problems={problems} onChange={change} />
        <ServiceTierFields form={form} problems={problems} onChange={change} />
        <Calculator model={name.trim() || 'model'} price={valid ? priceFrom(form) : price} />
        {price !== null && <Origin price={price} />}
        {props.below}
      </div>
      <Stack gap="sm" className="drawer-foot">
        {failure !== null && (
          <p className="form-error" role="alert">
            {t(why.key, why.values)} {failure instanceof Error ? failure.message : ''}
          </p>
        )}
        {tried && !valid && (
          <p className="form-error" role="alert">
            {t('prices.invalid')}
          </p>
        )}
        <div className="row">
          {price !== null && (
            <Button kind="quiet" disabled={busy} onClick={props.onRemove}>
              {t('prices.remove')}
            </Button>
          )}
          <span className="spacer" />
          <Button disabled={busy} onClick={props.onCancel}>
            {t('common.cancel')}
          </Button>
          <Button kind="primary" type="submit" disabled={busy || !dirty} aria-busy={busy}>
            {t('prices.save')}
          </Button>
        </div>
      </Stack>
      <TiersDialog
        opened={askingTiers}
        onClose={() => setAskingTiers(false)}
        onKeep={() => void store(form)}
        onDrop={() => void store({ ...form, contextTiers: [], serviceTiers: [] })}
      />
    </form>
  );
}

/** New base prices while a catalog's tiers belong to the old ones. */
function hasOldTiers(price: ModelPrice | null, start: PriceForm, form: PriceForm): boolean {
  const tiers = form.contextTiers.length + form.serviceTiers.length > 0;
  const untouched = sameForm({ ...start, rates: form.rates }, form);
  return tiers && untouched && !sameRates(start, form) && (price?.syncedAtMs ?? null) !== null;
}

function Origin({ price }: { readonly price: ModelPrice }) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const facts = [
    [t('prices.source'), sourceText({ price }, t)],
    [t('prices.sourceModel'), shown(price.sourceModelId ?? '')],
    [t('prices.synced'), dateAndTime(price.syncedAtMs, zone, locale, true)],
    [t('prices.updated'), dateAndTime(price.updatedAtMs, zone, locale, true)],
  ] as const;
  return (
    <section>
      <h2>{t('prices.origin')}</h2>
      <dl className="definitions">
        <FactLines facts={facts.filter(([, value]) => value !== '')} />
      </dl>
    </section>
  );
}
