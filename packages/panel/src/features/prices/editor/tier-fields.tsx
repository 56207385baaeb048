import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { NO_RATE_TEXTS, type PriceForm, type Problems } from '../price-form.ts';
import { RateFields, TextField } from './rate-fields.tsx';

interface TierFieldsProps {
  readonly form: PriceForm;
  readonly problems: Problems;
  readonly onChange: (change: Partial<PriceForm>) => void;
}

/** Prices of large requests. */
export function ContextTierFields({ form, problems, onChange }: TierFieldsProps) {
  const { t } = useText();
  const { contextTiers } = form;
  const set = (next: PriceForm['contextTiers']) => onChange({ contextTiers: next });
  return (
    <section>
      <h2>{t('prices.contextTiers')}</h2>
      <p className="small ink-3">{t('prices.contextHint')}</p>
      {contextTiers.map((tier, index) => (
        <Tier
          key={tier.id}
          name={t('prices.contextTier', { number: index + 1 })}
          onRemove={() => set(contextTiers.filter((other) => other.id !== tier.id))}
        >
          <TextField
            label={t('prices.threshold')}
            value={tier.threshold}
            problem={problems[`context.${index}.threshold`]}
            numeric
            onChange={(threshold) => set(replaced(contextTiers, { ...tier, threshold }))}
          />
          <RateFields
            rates={tier.rates}
            path={`context.${index}.`}
            problems={problems}
            overlay
            onChange={(rates) => set(replaced(contextTiers, { ...tier, rates }))}
          />
        </Tier>
      ))}
      <Button onClick={() => set([...contextTiers, { id: freeId(contextTiers), threshold: '', rates: NO_RATE_TEXTS }])}>
        <Icon name="plus" />
        {t('prices.addContextTier')}
      </Button>
    </section>
  );
}

/** Prices of service tiers that a request or an answer names. */
export function ServiceTierFields({ form, problems, onChange }: TierFieldsProps) {
  const { t } = useText();
  const { serviceTiers } = form;
  const set = (next: PriceForm['serviceTiers']) => onChange({ serviceTiers: next });
  return (
    <section>
      <h2>{t('prices.serviceTiers')}</h2>
      <p className="small ink-3">{t('prices.serviceHint')}</p>
      {serviceTiers.map((rule, index) => (
        <Tier
          key={rule.id}
          name={t('prices.serviceTier', { number: index + 1 })}
          onRemove={() => set(serviceTiers.filter((other) => other.id !== rule.id))}
        >
          <SimpleGrid minColWidth={140} verticalSpacing="sm" my="sm">
            <TextField
              label={t('prices.tierWord')}
              value={rule.tier}
              problem={problems[`service.${index}.tier`]}
              onChange={(tier) => set(replaced(serviceTiers, { ...rule, tier }))}
            />
            <TextField
              label={t('prices.tierMode')}
              value={rule.mode}
              problem={problems[`service.${index}.mode`]}
              onChange={(mode) => set(replaced(serviceTiers, { ...rule, mode }))}
            />
          </SimpleGrid>
          <RateFields
            rates={rule.rates}
            path={`service.${index}.`}
            problems={problems}
            overlay
            onChange={(rates) => set(replaced(serviceTiers, { ...rule, rates }))}
          />
        </Tier>
      ))}
      <Button
        onClick={() => set([...serviceTiers, { id: freeId(serviceTiers), tier: '', mode: '', rates: NO_RATE_TEXTS }])}
      >
        <Icon name="plus" />
        {t('prices.addServiceTier')}
      </Button>
    </section>
  );
}

function Tier({
  name,
  onRemove,
  children,
}: {
  readonly name: string;
  readonly onRemove: () => void;
  readonly children: ReactNode;
}) {
  const { t } = useText();
  return (
    <fieldset style={{ margin: '8px 0', padding: '8px 12px' }} className="panel" aria-label={name}>
      <div className="row">
        <span className="small medium">{name}</span>
        <span className="spacer" />
        <Button kind="quiet" square aria-label={t('prices.removeTier', { name })} onClick={onRemove}>
          <Icon name="close" />
        </Button>
      </div>
      {children}
    </fieldset>
  );
}

const replaced = <T extends { readonly id: string }>(list: readonly T[], next: T): readonly T[] =>
  list.map((entry) => (entry.id === next.id ? next : entry));

function freeId(list: readonly { readonly id: string }[]): string {
  const taken = new Set(list.map(({ id }) => id));
  let number = list.length;
  while (taken.has(`new-${number}`)) number += 1;
  return `new-${number}`;
}
