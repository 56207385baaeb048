import type { ChartColors } from './draw.ts';

/** Current colors and font of the style sheets; read again when the theme changes. */
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
