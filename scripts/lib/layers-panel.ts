/**
 * Layers of the panel, the lowest first: a file imports only from its own layer and from those before it, types too. A path is a
 * folder or a file in `root`; every file of the panel is in exactly one layer.
 */
export const PANEL_LAYERS = {
  root: 'packages/panel/src/',
  layers: [
    { name: 'platform', paths: ['platform/'] },
    { name: 'ui', paths: ['ui/'] },
    { name: 'features', paths: ['features/'] },
    { name: 'shell', paths: ['shell/'] },
    { name: 'main', paths: ['main.tsx', 'environment.d.ts'] },
  ],
  /** Each folder in it is a feature; a feature imports no file of another one. */
  features: 'features/',
} as const;
