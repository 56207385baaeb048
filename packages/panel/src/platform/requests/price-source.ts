import { shown } from '../format/shown.ts';
import type { Translate } from '../i18n/index.ts';

/** Where a price is from: a catalogue by its name, the operator, or the product; '' = unknown. */
export function priceSource(source: string, t: Translate): string {
  if (source === 'manual') return t('prices.sourceManual');
  if (source === 'built-in') return t('cost.builtInFamily');
  return shown(source);
}
