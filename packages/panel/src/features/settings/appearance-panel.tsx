import { Select, Switch } from '@mantine/core';
import { useId } from 'react';
import { browserTimeZone, setPreferences, type ThemeChoice, usePreferences } from '../../app/preferences.ts';
import { LANGUAGES, useText } from '../../i18n/index.ts';
import { Segmented } from '../../ui/segmented.tsx';

/** All zones the browser knows; Safari and older engines may know none by list. */
function zones(): readonly string[] {
  return typeof Intl.supportedValuesOf === 'function' ? Intl.supportedValuesOf('timeZone') : [];
}

/** Choices of this browser; nothing here reaches the server. */
export function AppearancePanel() {
  const { t, language } = useText();
  const preferences = usePreferences();
  const id = useId();
  const browser = browserTimeZone();
  return (
    <section className="panel">
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
        <Select
          label={t('shell.timeZone')}
          searchable
          data={[
            { value: 'browser', label: t('shell.browserZone', { zone: browser }) },
            { value: 'UTC', label: 'UTC' },
            ...zones()
              .filter((zone) => zone !== 'UTC')
              .map((zone) => ({ value: zone, label: zone })),
          ]}
          value={preferences.timeZone === '' ? 'browser' : preferences.timeZone}
          allowDeselect={false}
          nothingFoundMessage={t('filter.nothing')}
          maxDropdownHeight={240}
          limit={100}
          onChange={(zone) => {
            if (zone !== null) setPreferences({ timeZone: zone === 'browser' ? '' : zone });
          }}
        />
        <Switch
          checked={preferences.startMasked}
          label={t('settings.startMasked')}
          description={t('settings.startMaskedHint')}
          onChange={(event) => setPreferences({ startMasked: event.currentTarget.checked })}
        />
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
