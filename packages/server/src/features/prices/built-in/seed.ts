import type { WriterContext } from '../../../sqlite/contexts.ts';
import { seedModelPrices } from '../store.ts';
import { builtInPrices } from './built-in-prices.ts';

/** Start-up: gives a new database the prices that come with the program. */
export function seedBuiltInPrices(context: WriterContext): void {
  seedModelPrices(context, builtInPrices);
}
