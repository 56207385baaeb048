import { accountSource } from '../../features/accounts/palette-source.ts';
import { settingSource } from '../../features/configuration/palette-source.ts';
import { keySource, modelSource, requestSource } from '../../features/monitoring/palette-sources.ts';
import type { Mode } from '../../platform/session/identity.ts';
import type { PaletteSource } from '../../ui/palette-source.ts';
import { actionSource, pageSource } from './own-sources.ts';

/** Every kind of item that the palette finds, in the order of its groups. */
const ALL: readonly PaletteSource[] = [
  requestSource,
  pageSource,
  accountSource,
  modelSource,
  keySource,
  settingSource,
  actionSource,
];

const WITHOUT_MANAGER = ALL.filter(({ managed }) => managed !== true);

export const paletteSources = (mode: Mode): readonly PaletteSource[] => (mode === 'manager' ? ALL : WITHOUT_MANAGER);
