import { Switch } from '@mantine/core';
import { useText } from '../../platform/i18n/index.ts';
import { REMEMBER_CHOICES, type RememberDays, USUAL_REMEMBER_DAYS } from '../../platform/session/session.ts';
import { Segmented } from './segmented.tsx';

/** Whether and for how long the sign-in outlives this tab, with an explanation. */
export function RememberField({
  days,
  onChange,
}: {
  /** null = it does not. */
  readonly days: RememberDays | null;
  readonly onChange: (days: RememberDays | null) => void;
}) {
  const { t } = useText();
  return (
    <div className="form-row">
      <Switch
        checked={days !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? USUAL_REMEMBER_DAYS : null)}
        label={t('signIn.remember')}
        description={days === null ? t('signIn.forgetHint') : t('signIn.rememberWarning')}
      />
      {days !== null && (
        <span>
          <Segmented
            label={t('signIn.rememberFor')}
            value={String(days)}
            options={REMEMBER_CHOICES.map((count) => ({
              value: String(count),
              label: t('signIn.rememberDays', { count }),
            }))}
            onChange={(chosen) => onChange(REMEMBER_CHOICES.find((count) => String(count) === chosen) ?? null)}
          />
        </span>
      )}
    </div>
  );
}
