import { AUTO_ACTION_MODES } from '@manager/core/contract/constants';
import type { AutoActionMode } from '@manager/core/contract/inspection/config';
import { Stack, Switch } from '@mantine/core';
import { useId } from 'react';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { Note } from '../../ui/feedback/note.tsx';
import { AUTO_MODE_LABELS, canRecoverAll } from '../../ui/inspection/schedule-view.ts';
import type { InspectionFieldsProps } from './inspection-form.ts';

const HINTS: Readonly<Record<AutoActionMode, TextKey>> = {
  none: 'inspectionSettings.autoNoneHint',
  enable: 'inspectionSettings.autoEnableHint',
  disable: 'inspectionSettings.autoDisableHint',
  delete: 'inspectionSettings.autoDeleteHint',
};

/** Automatic actions of a run; irreversible ones have a warning. */
export function AutomaticFields({ form, onChange }: InspectionFieldsProps) {
  const { t } = useText();
  const id = useId();
  const mode = form.autoActionMode;
  return (
    <Stack component="fieldset" className="group" aria-labelledby={id}>
      <h3 id={id}>{t('inspectionSettings.automatic')}</h3>
      <Stack gap="sm" role="radiogroup" aria-labelledby={id}>
        {AUTO_ACTION_MODES.map((choice) => (
          <label key={choice} className="tick">
            <input
              type="radio"
              name={`${id}-mode`}
              value={choice}
              checked={mode === choice}
              onChange={() => onChange({ autoActionMode: choice })}
            />
            <Stack component="span" gap={0}>
              {t(AUTO_MODE_LABELS[choice])}
              <span className="small ink-3">{t(HINTS[choice])}</span>
            </Stack>
          </label>
        ))}
      </Stack>
      {mode === 'delete' && (
        <Note tone="bad" fact={t('inspectionSettings.deleteFact')}>
          {t('inspectionSettings.deleteEvidence')}
        </Note>
      )}
      {mode === 'disable' && (
        <Note tone="warn" fact={t('inspectionSettings.disableFact')}>
          {form.autoRecoverEnabled ? t('inspectionSettings.disableRecovers') : t('inspectionSettings.disableStays')}
        </Note>
      )}
      <Switch
        checked={form.autoRecoverEnabled}
        label={t('inspectionSettings.recover')}
        description={t('inspectionSettings.recoverHint')}
        onChange={(event) => onChange({ autoRecoverEnabled: event.currentTarget.checked })}
      />
      {form.autoRecoverEnabled && !canRecoverAll(form) && (
        <Note tone="warn" fact={t('inspectionSettings.recoverNotXai')}>
          {t('inspectionSettings.recoverNotXaiText')}
        </Note>
      )}
      {form.sampleSize > 0 && mode === 'delete' && (
        <p className="small ink-3">{t('inspectionSettings.sampleDelete')}</p>
      )}
    </Stack>
  );
}
