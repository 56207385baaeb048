import { TextInput } from '@mantine/core';
import { type TextKey, useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { KeyField } from '../../../ui/controls/key-field.tsx';
import { Icon } from '../../../ui/icons.tsx';
import type { HeaderRow } from './draft.ts';

/** Headers of requests to the provider; their values may be secrets. */
export function HeadersInput({
  rows,
  problems,
  onChange,
}: {
  readonly rows: readonly HeaderRow[];
  readonly problems: ReadonlyMap<string, TextKey>;
  readonly onChange: (rows: readonly HeaderRow[]) => void;
}) {
  const { t } = useText();
  return (
    <fieldset className="form-list">
      <legend>{t('providers.headers')}</legend>
      <p className="small ink-3">{t('providers.headersHint')}</p>
      {rows.map(([name, value], at) => {
        const problem = problems.get(`headers.${at}`);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the inputs keep no state of a row.
          <div key={at} className="form-line">
            <TextInput
              label={t('providers.headerName')}
              value={name}
              autoComplete="off"
              spellCheck={false}
              error={problem !== undefined && t(problem)}
              onChange={(event) => onChange(rows.with(at, [event.currentTarget.value, value]))}
            />
            <KeyField
              size="sm"
              label={t('providers.headerValue')}
              value={value}
              autoComplete="off"
              onChange={(next) => onChange(rows.with(at, [name, next]))}
            />
            <Button
              kind="quiet"
              aria-label={t('providers.removeRow', { name: t('providers.headers'), number: at + 1 })}
              onClick={() => onChange(rows.toSpliced(at, 1))}
            >
              {t('providers.remove')}
            </Button>
          </div>
        );
      })}
      <span>
        <Button onClick={() => onChange([...rows, ['', '']])}>
          <Icon name="plus" />
          {t('providers.add')}
        </Button>
      </span>
    </fieldset>
  );
}
