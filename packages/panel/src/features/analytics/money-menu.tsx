import { Popover, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { type Money, setMoney, validMoney } from './money.ts';

/** A factor and a label for costs, for this browser alone. */
export function MoneyMenu({ money }: { readonly money: Money }) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  const { label, factor } = money.setting;
  const name = label === '' ? 'USD' : label;
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={260} trapFocus returnFocus>
      <Popover.Target>
        <Button
          kind="quiet"
          aria-label={t('money.is', { name: `${name}${money.mark}` })}
          aria-expanded={open}
          aria-haspopup="dialog"
          onClick={() => setOpen(!open)}
        >
          <Icon name="prices" />
          {name}
          {money.mark}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('money.title')}>
        <MoneyForm key={`${label} ${factor}`} money={money} onDone={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function MoneyForm({ money, onDone }: { readonly money: Money; readonly onDone: () => void }) {
  const { t } = useText();
  const [label, setLabel] = useState(money.setting.label);
  const [factor, setFactor] = useState(String(money.setting.factor));
  const value = Number(factor.replace(',', '.'));
  const wrong = !(Number.isFinite(value) && value > 0 && value <= 1e6);
  const save = () => {
    if (wrong) return;
    setMoney(validMoney(value, label));
    onDone();
  };
  return (
    <Stack
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <p className="small ink-2">{t('money.text')}</p>
      <TextInput
        size="sm"
        label={t('money.label')}
        placeholder="$"
        maxLength={8}
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <TextInput
        size="sm"
        label={t('money.factor')}
        inputMode="decimal"
        value={factor}
        error={wrong ? t('money.wrong') : undefined}
        onChange={(event) => setFactor(event.currentTarget.value)}
      />
      <div className="row">
        <Button type="submit" disabled={wrong}>
          {t('money.save')}
        </Button>
        <Button
          kind="quiet"
          onClick={() => {
            setMoney(validMoney(1, ''));
            onDone();
          }}
        >
          {t('money.reset')}
        </Button>
      </div>
    </Stack>
  );
}
