import { accountSource } from '../../features/accounts/palette-source.ts';
import { keySource, modelSource, requestSource } from '../../features/live/palette-sources.ts';
import { actionSource, pageSource } from './own-sources.ts';
import type { PaletteSource } from './types.ts';

/** Every kind of thing that the palette finds, in the order of its groups. */
export const PALETTE_SOURCES: readonly PaletteSource[] = [
  requestSource,
  pageSource,
  accountSource,
  modelSource,
  keySource,
  actionSource,
];
