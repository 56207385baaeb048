import type { WriterContext } from '../../../sqlite/contexts.ts';
import { seedModelPrices } from '../store.ts';
import { builtInPrices } from './built-in-prices.ts';

/** At start: gives a new database the built-in prices. */
export function seedBuiltInPrices(context: WriterContext): void {
  seedModelPrices(context, builtInPrices);
}
