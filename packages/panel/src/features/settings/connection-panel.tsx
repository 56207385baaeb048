import type { ConfigResponse } from '@manager/core/contract/settings/config';
import { Stack, TextInput } from '@mantine/core';
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

/** Address of the gateway, and its management key. */
export function ConnectionPanel({ config, form, locked, onChange }: ManagerPanelProps) {
  const { t } = useText();
  return (
    <>
      <div className="panel-head">
        <h2>{t('settings.connection')}</h2>
        <span className="tiny ink-3">{t(SOURCES[config.source])}</span>
      </div>
      <Stack gap="lg" maw={640} pt="xs" className="panel-body">
        <TextInput
          size="md"
          label={t('setup.url')}
          classNames={{ input: 'mono' }}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          disabled={locked}
          value={form.url}
          onChange={(event) => onChange({ url: event.currentTarget.value })}
        />
        <KeyField
          label={t('setup.managementKey')}
          description={t('settings.keyHint')}
          value={form.managementKey}
          disabled={locked}
          autoComplete="off"
          placeholder={
            config.config.cpaConnection.managementKeyConfigured ? t('settings.keyKept') : t('settings.keyNone')
          }
          onChange={(managementKey) => onChange({ managementKey })}
        />
      </Stack>
    </>
  );
}
