import type { Mode } from '../../api/identity.ts';
import { accountSource } from '../../features/accounts/palette-source.ts';
import { keySource, modelSource, requestSource } from '../../features/live/palette-sources.ts';
import { actionSource, pageSource } from './own-sources.ts';
import type { PaletteSource } from './types.ts';

/** Every kind of thing that the palette finds, in the order of its groups. */
const ALL: readonly PaletteSource[] = [requestSource, pageSource, accountSource, modelSource, keySource, actionSource];

const WITHOUT_MANAGER = ALL.filter(({ managed }) => managed !== true);

export const paletteSources = (mode: Mode): readonly PaletteSource[] => (mode === 'manager' ? ALL : WITHOUT_MANAGER);
