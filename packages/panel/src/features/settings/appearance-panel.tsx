import { Select, Stack, Switch } from '@mantine/core';
import { useMode } from '../../platform/api/services.ts';
import { NUMBER_STYLES, styled } from '../../platform/format/format.ts';
import { weekdayName } from '../../platform/format/time.ts';
import { LANGUAGES, useText } from '../../platform/i18n/index.ts';
import {
  browserTimeZone,
  type Density,
  FIRST_WEEKDAYS,
  setPreferences,
  type ThemeChoice,
  usePreferences,
} from '../../platform/preferences/preferences.ts';
import { Segmented, type SegmentedOption } from '../../ui/controls/segmented.tsx';
import { ZoneSelect } from '../../ui/controls/zone-select.tsx';
import { useShellParts } from '../../ui/page/shell-parts.ts';

/** Settings of this browser; nothing here reaches the server. */
export function AppearancePanel() {
  const { t, language, locale } = useText();
  const preferences = usePreferences();
  const mode = useMode();
  const { startPages, startPath } = useShellParts();
  return (
    <section className="panel" aria-label={t('settings.appearance')}>
      <div className="panel-head">
        <h2>{t('settings.appearance')}</h2>
        <span className="tiny ink-3">{t('settings.appearanceHint')}</span>
      </div>
      <Stack gap="lg" maw={640} pt="xs" className="panel-body">
        <Choice<ThemeChoice>
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
        <Choice
          label={t('shell.language')}
          value={language}
          options={LANGUAGES.map((entry) => ({ value: entry.code, label: entry.name }))}
          onChange={(choice) => setPreferences({ language: choice })}
        />
        <Choice<Density>
          label={t('view.density')}
          value={preferences.density}
          options={[
            { value: 'compact', label: t('view.compact') },
            { value: 'comfortable', label: t('view.comfortable') },
          ]}
          onChange={(density) => setPreferences({ density })}
        />
        <Choice
          label={t('settings.motion')}
          value={preferences.reducedMotion ? 'reduced' : 'system'}
          options={[
            { value: 'system', label: t('settings.motionSystem') },
            { value: 'reduced', label: t('settings.motionReduced') },
          ]}
          onChange={(motion) => setPreferences({ reducedMotion: motion === 'reduced' })}
        />
        <Choice
          label={t('settings.numberStyle')}
          value={preferences.numberStyle}
          options={NUMBER_STYLES.map((style) => ({ value: style, label: styled('1,234.5', style) }))}
          onChange={(numberStyle) => setPreferences({ numberStyle })}
        />
        <Choice
          label={t('settings.firstWeekday')}
          value={String(preferences.firstWeekday)}
          options={[
            { value: 'null', label: t('settings.byLanguage') },
            ...FIRST_WEEKDAYS.map((day) => ({ value: String(day), label: weekdayName(day, locale, 'long') })),
          ]}
          onChange={(day) => setPreferences({ firstWeekday: day === 'null' ? null : Number(day) })}
        />
        <Select
          label={t('settings.startPage')}
          data={startPages(mode).map(({ path, label }) => ({ value: path, label: t(label) }))}
          value={startPath(preferences.startPage, mode)}
          allowDeselect={false}
          onChange={(startPage) => {
            if (startPage !== null) setPreferences({ startPage });
          }}
        />
        <ZoneSelect
          label={t('settings.reportZone')}
          description={t('settings.reportZoneHint')}
          value={preferences.timeZone}
          defaultLabel={t('shell.browserZone', { zone: browserTimeZone() })}
          onChange={(timeZone) => setPreferences({ timeZone })}
        />
        <Switch
          checked={preferences.shortcuts}
          label={t('settings.shortcuts')}
          description={t('settings.shortcutsHint')}
          onChange={(event) => setPreferences({ shortcuts: event.currentTarget.checked })}
        />
      </Stack>
    </section>
  );
}

/** A segmented choice under its name. */
function Choice<V extends string>(props: {
  readonly label: string;
  readonly value: V;
  readonly options: readonly SegmentedOption<V>[];
  readonly onChange: (value: V) => void;
}) {
  return (
    <div className="form-row">
      <span className="medium">{props.label}</span>
      <span>
        <Segmented {...props} />
      </span>
    </div>
  );
}
