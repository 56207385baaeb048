import type { ConfigResponse } from '@manager/core/contract/settings/config';
import { useId } from 'react';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { KeyField } from '../../ui/controls/key-field.tsx';
import type { SettingsForm } from './settings-form.ts';

export interface ManagerPanelProps {
  readonly config: ConfigResponse;
  readonly form: SettingsForm;
  /** Set by the environment. */
  readonly locked: boolean;
  readonly onChange: (change: Partial<SettingsForm>) => void;
}

const SOURCES: Readonly<Record<ConfigResponse['source'], TextKey>> = {
  env: 'settings.sourceEnv',
  db: 'settings.sourceDb',
  '': 'settings.sourceNone',
};

/** Where the gateway is, and the key to its management. */
export function ConnectionPanel({ config, form, locked, onChange }: ManagerPanelProps) {
  const { t } = useText();
  const id = useId();
  return (
    <>
      <div className="panel-head">
        <h2>{t('settings.connection')}</h2>
        <span className="tiny ink-3">{t(SOURCES[config.source])}</span>
      </div>
      <div className="panel-body settings-fields">
        <div className="form-row">
          <label className="form-label" htmlFor={`${id}-url`}>
            {t('setup.url')}
          </label>
          <div className="field large">
            <input
              id={`${id}-url`}
              className="mono"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              disabled={locked}
              value={form.url}
              onChange={(event) => onChange({ url: event.currentTarget.value })}
            />
          </div>
        </div>
        <div className="form-row">
          <label className="form-label" htmlFor={`${id}-key`}>
            {t('setup.managementKey')}
          </label>
          <KeyField
            id={`${id}-key`}
            value={form.managementKey}
            disabled={locked}
            autoComplete="off"
            placeholder={
              config.config.cpaConnection.managementKeyConfigured ? t('settings.keyKept') : t('settings.keyNone')
            }
            describedBy={`${id}-key-hint`}
            onChange={(managementKey) => onChange({ managementKey })}
          />
          <span className="form-hint" id={`${id}-key-hint`}>
            {t('settings.keyHint')}
          </span>
        </div>
      </div>
    </>
  );
}
