import { Menu } from '@mantine/core';
import { LANGUAGES, useText } from '../../platform/i18n/index.ts';
import { setPreferences, type ThemeChoice, usePreferences } from '../../platform/preferences/preferences.ts';
import { Button } from '../controls/button.tsx';
import { ChoiceItems } from '../controls/choice-items.tsx';
import { Icon } from '../icons.tsx';

const THEMES = [
  ['auto', 'theme.auto'],
  ['light', 'theme.light'],
  ['dark', 'theme.dark'],
  ['contrast', 'theme.contrast'],
] as const satisfies readonly (readonly [ThemeChoice, string])[];

export function ThemeMenu() {
  const { t } = useText();
  const { theme } = usePreferences();
  return (
    <Menu position="top-start" width={180}>
      <Menu.Target>
        <Button kind="quiet" square aria-label={t('shell.theme')}>
          <Icon name="moon" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <ChoiceItems
          title={t('shell.theme')}
          value={theme}
          options={THEMES.map(([value, key]) => ({ value, label: t(key) }))}
          onChange={(value) => setPreferences({ theme: value })}
        />
      </Menu.Dropdown>
    </Menu>
  );
}

export function LanguageMenu({ named = false }: { readonly named?: boolean }) {
  const { t, language } = useText();
  const name = LANGUAGES.find((entry) => entry.code === language)?.name;
  return (
    <Menu position={named ? 'bottom-end' : 'top-start'} width={180}>
      <Menu.Target>
        <Button kind="quiet" square={!named} aria-label={named ? undefined : t('shell.language')}>
          <Icon name="language" />
          {named && name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <ChoiceItems
          title={t('shell.language')}
          value={language}
          options={LANGUAGES.map((entry) => ({ value: entry.code, label: entry.name, lang: entry.code }))}
          onChange={(code) => setPreferences({ language: code })}
        />
      </Menu.Dropdown>
    </Menu>
  );
}
