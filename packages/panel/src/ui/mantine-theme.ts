import { type CSSVariablesResolver, createTheme, Switch } from '@mantine/core';

/** Sizes of our type scale under the library's names; colours come from our tokens. */
export const mantineTheme = createTheme({
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '16px', md: '20px', lg: '24px', xl: '28px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '20px' },
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '8px', xl: '8px' },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    Switch: Switch.extend({ defaultProps: { withThumbIndicator: false, size: 'sm' } }),
  },
});

const colors = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-3)',
  '--mantine-color-placeholder': 'var(--ink-3)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--mute)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'var(--accent)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
};

export const mantineVariables: CSSVariablesResolver = () => ({ variables: {}, light: colors, dark: colors });
