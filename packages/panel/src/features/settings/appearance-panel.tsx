import { Switch } from '@mantine/core';
import { useId } from 'react';
import { browserTimeZone, setPreferences, type ThemeChoice, usePreferences } from '../../app/preferences.ts';
import { LANGUAGES, useText } from '../../i18n/index.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { ZoneSelect } from './zone-select.tsx';

/** Choices of this browser; nothing here reaches the server. */
export function AppearancePanel() {
  const { t, language } = useText();
  const preferences = usePreferences();
  const id = useId();
  return (
    <section className="panel" aria-label={t('settings.appearance')}>
      <div className="panel-head">
        <h2>{t('settings.appearance')}</h2>
        <span className="tiny ink-3">{t('settings.appearanceHint')}</span>
      </div>
      <div className="panel-body settings-fields">
        <div className="form-row">
          <span className="form-label" id={`${id}-theme`}>
            {t('shell.theme')}
          </span>
          <span>
            <Segmented<ThemeChoice>
              label={t('shell.theme')}
              value={preferences.theme}
              options={[
                { value: 'auto', label: t('theme.auto') },
                { value: 'light', label: t('theme.light') },
                { value: 'dark', label: t('theme.dark') },
                { value: 'contrast', label: t('theme.contrast') },
              ]}
              onChange={(theme) => setPreferences({ theme })}
            />
          </span>
        </div>
        <div className="form-row">
          <span className="form-label">{t('shell.language')}</span>
          <span>
            <Segmented
              label={t('shell.language')}
              value={language}
              options={LANGUAGES.map((entry) => ({ value: entry.code, label: entry.name }))}
              onChange={(choice) => setPreferences({ language: choice })}
            />
          </span>
        </div>
        <ZoneSelect
          label={t('settings.reportZone')}
          value={preferences.timeZone}
          defaultLabel={t('shell.browserZone', { zone: browserTimeZone() })}
          onChange={(timeZone) => setPreferences({ timeZone })}
        />
        <p className="form-hint">{t('settings.reportZoneHint')}</p>
        <Switch
          checked={preferences.shortcuts}
          label={t('settings.shortcuts')}
          description={t('settings.shortcutsHint')}
          onChange={(event) => setPreferences({ shortcuts: event.currentTarget.checked })}
        />
      </div>
    </section>
  );
}
