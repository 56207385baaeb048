import type { ModelPrice } from '@manager/core/pricing/price';
import { Box, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { formatCost, formatCount, formatExactCost } from '../../../platform/format/format.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { type CalculatorForm, calculate } from './calculate.ts';
import { TextField } from './rate-fields.tsx';

const START: CalculatorForm = {
  input: '10000',
  cacheRead: '0',
  cacheCreation: '0',
  cacheWrite1h: '0',
  output: '1000',
  tier: '',
};

const PART_LABELS = {
  uncached: 'cost.uncached',
  cached: 'tokens.cacheRead',
  creation: 'tokens.cacheCreation',
  write1h: 'tokens.cacheWrite1h',
  output: 'tokens.output',
} as const;

/** Cost of a sample request at the price in the form. */
export function Calculator({ model, price }: { readonly model: string; readonly price: ModelPrice | null }) {
  const { t } = useText();
  const [form, setForm] = useState(START);
  const field = (name: keyof CalculatorForm, label: string) => (
    <TextField
      label={label}
      value={form[name]}
      numeric={name !== 'tier'}
      onChange={(value) => setForm({ ...form, [name]: value })}
    />
  );
  const { usd, parts } = calculate(model, price, form);
  return (
    <section>
      <h2>{t('prices.calculator')}</h2>
      <SimpleGrid minColWidth={140} verticalSpacing="sm" my="sm">
        {field('input', t('prices.tokensIn'))}
        {field('cacheRead', t('prices.tokensRead'))}
        {field('cacheCreation', t('prices.tokensCreated'))}
        {field('cacheWrite1h', t('prices.tokensWritten1h'))}
        {field('output', t('prices.tokensOut'))}
        {field('tier', t('cost.tier'))}
      </SimpleGrid>
      <Box component="dl" mt="sm" className="definitions">
        <dt>{t('cost.label')}</dt>
        <dd>
          <b data-calculated>{formatCost(usd)}</b>
        </dd>
        {parts.map((part) => (
          <div key={part.kind} style={{ display: 'contents' }}>
            <dt>{t(PART_LABELS[part.kind])}</dt>
            <dd>
              {formatCount(part.tokens)} × {formatExactCost(part.rate)} ÷ 1M = {formatExactCost(part.usd)}
            </dd>
          </div>
        ))}
      </Box>
    </section>
  );
}
