import {
  Combobox,
  type CSSVariablesResolver,
  createTheme,
  Drawer,
  Group,
  Input,
  type MantineColorsTuple,
  Menu,
  Modal,
  Pill,
  Popover,
  Select,
  Switch,
} from '@mantine/core';

/** From light to dark, as the library counts them. */
const shades = (...names: readonly string[]) => names.map((name) => `var(--${name})`) as unknown as MantineColorsTuple;

const GRAY = shades('hover', 'hover', 'line', 'mute', 'mute', 'mute', 'ink-3', 'ink-2', 'ink-2', 'ink');
const ACCENT = shades(...Array<string>(10).fill('accent'));

const HEADED = {
  content: { background: 'var(--surface)' },
  header: { minHeight: 48, padding: '12px 20px' },
  title: { font: '600 16px / 24px var(--font)' },
  body: { padding: '4px 20px 20px' },
  close: { width: 28, height: 28, color: 'var(--ink-2)' },
};
const BACKDROP = { color: 'var(--backdrop)', backgroundOpacity: 1 };

/** In a toolbar, and alone on its page; in a form between them. */
const INPUTS = { xs: 'var(--control)', md: 'max(36px, var(--input))' };

/**
 * The panel's sizes and tokens under the library's names. Its light scheme is used in both themes: the tokens below it change.
 */
const theme = createTheme({
  white: 'var(--surface)',
  black: 'var(--ink)',
  colors: { gray: GRAY, accent: ACCENT },
  primaryColor: 'accent',
  // The page's font size is 13 px, the library assumes 16.
  scale: 16 / 13,
  fontFamily: 'var(--font)',
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '16px', md: '20px', lg: '24px', xl: '28px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '20px' },
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '8px', xl: '8px' },
  shadows: { md: 'var(--elevation-2)', lg: 'var(--elevation-3)' },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    Combobox: Combobox.extend({
      vars: () => ({
        dropdown: { '--combobox-option-fz': '13px', '--combobox-option-padding': '4px 8px' },
        options: { '--combobox-option-fz': '13px', '--combobox-option-padding': '4px 8px' },
      }),
      styles: { empty: { textAlign: 'start' } },
    }),
    Drawer: Drawer.extend({
      defaultProps: { overlayProps: BACKDROP, shadow: 'lg', transitionProps: { duration: 160 } },
      styles: HEADED,
    }),
    Group: Group.extend({ defaultProps: { gap: 'sm' } }),
    Input: Input.extend({
      vars: (_, { size, rightSectionWidth }) => ({
        wrapper: {
          '--input-height': INPUTS[size as 'xs' | 'md'] ?? 'var(--input)',
          '--input-fz': size === 'xs' ? '12px' : '13px',
          '--input-padding': size === 'xs' ? '8px' : '10px',
          '--input-left-section-width': '32px',
          '--input-right-section-width': String(rightSectionWidth ?? '32px'),
        },
      }),
      styles: { section: { fontSize: 12 } },
    }),
    InputWrapper: Input.Wrapper.extend({
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
      styles: {
        label: { marginBottom: 4, fontSize: 13, lineHeight: '20px' },
        description: { marginTop: 4, fontSize: 12, lineHeight: '16px' },
        error: { fontSize: 12, lineHeight: '16px' },
      },
    }),
    Menu: Menu.extend({
      // The placeholder is no item, which a menu must not have; the first item takes the focus.
      defaultProps: { withInitialFocusPlaceholder: false },
      styles: {
        item: { minHeight: 'var(--control)', padding: '4px 8px', fontSize: 13 },
        label: { padding: '8px 8px 4px', lineHeight: '16px' },
      },
    }),
    Modal: Modal.extend({
      defaultProps: { radius: 'lg', overlayProps: BACKDROP, shadow: 'lg', transitionProps: { duration: 120 } },
      styles: HEADED,
    }),
    Pill: Pill.extend({
      vars: () => ({ root: { '--pill-height': '20px', '--pill-radius': '4px' } }),
      styles: { root: { background: 'var(--accent-ground)' } },
    }),
    Popover: Popover.extend({
      defaultProps: { radius: 'md', shadow: 'md', transitionProps: { duration: 120 } },
      styles: { dropdown: { padding: 12 } },
    }),
    Select: Select.extend({ defaultProps: { withAlignedLabels: true } }),
    Switch: Switch.extend({
      defaultProps: { withThumbIndicator: false },
      vars: () => ({
        root: {
          '--switch-height': '16px',
          '--switch-width': '28px',
          '--switch-thumb-size': '12px',
          '--switch-track-label-padding': '2px',
        },
      }),
      styles: { label: { fontSize: 13 }, description: { fontSize: 12, lineHeight: '16px' } },
    }),
  },
});

const COLORS = {
  '--mantine-color-dimmed': 'var(--ink-3)',
  '--mantine-color-placeholder': 'var(--ink-3)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-disabled': 'var(--sunken)',
  '--mantine-color-disabled-color': 'var(--ink-2)',
};

const variables: CSSVariablesResolver = () => ({ variables: {}, light: COLORS, dark: {} });

/**
 * What the library's provider needs. It writes all variables itself: the library's own file of their defaults would be a hundredth
 * of the page.
 */
export const MANTINE_SETTINGS = {
  theme,
  cssVariablesResolver: variables,
  forceColorScheme: 'light',
  deduplicateCssVariables: false,
} as const;
