import { setNumberStyle } from '../format/format.ts';
import { createStore } from '../store.ts';
import { getPreferences, onPreferences, type ThemeChoice } from './preferences.ts';

export interface ResolvedTheme {
  readonly scheme: 'light' | 'dark';
  readonly highContrast: boolean;
}

/** `contrast` follows the system's light or dark and strengthens lines and labels. */
function resolveTheme(choice: ThemeChoice, systemDark: boolean, systemContrast: boolean): ResolvedTheme {
  const scheme = choice === 'light' || choice === 'dark' ? choice : systemDark ? 'dark' : 'light';
  return { scheme, highContrast: choice === 'contrast' || systemContrast };
}

const darkQuery = window.matchMedia('(prefers-color-scheme: dark)');
const contrastQuery = window.matchMedia('(prefers-contrast: more)');

function current(): ResolvedTheme {
  return resolveTheme(getPreferences().theme, darkQuery.matches, contrastQuery.matches);
}

export const themeStore = createStore<ResolvedTheme>(current());

function apply(): void {
  const theme = current();
  const root = document.documentElement;
  const { density, reducedMotion, numberStyle } = getPreferences();
  root.dataset.density = density;
  root.dataset.motion = reducedMotion ? 'reduced' : 'full';
  setNumberStyle(numberStyle);
  root.dataset.theme = theme.scheme;
  if (theme.highContrast) root.dataset.contrast = 'high';
  else delete root.dataset.contrast;
  const before = themeStore.get();
  if (before.scheme !== theme.scheme || before.highContrast !== theme.highContrast) themeStore.set(theme);
}

/** Sets theme, density and the like before the first paint, and follows the system and the preferences afterwards. */
export function startTheme(): void {
  apply();
  darkQuery.addEventListener('change', apply);
  contrastQuery.addEventListener('change', apply);
  onPreferences(apply);
}
