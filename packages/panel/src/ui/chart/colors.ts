import type { ChartColors } from './draw.ts';

/** Colours and font as the style sheets have them at this moment; ask again when the theme changes. */
export function readChartColors(): ChartColors {
  const style = getComputedStyle(document.documentElement);
  const known = new Map<string, string>();
  return {
    of: (token) => {
      const found = known.get(token) ?? style.getPropertyValue(`--${token}`).trim();
      known.set(token, found);
      return found;
    },
    font: style.getPropertyValue('--font').trim(),
  };
}
