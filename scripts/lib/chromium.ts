import { existsSync } from 'node:fs';
import { installPackage } from './system-package.ts';

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of a Chromium for the panel tests. Installs the distribution's package when there is none; ends the process if it cannot. */
export function ensureChromium(): string {
  const given = process.env.CHROMIUM_PATH;
  const found = given && existsSync(given) ? given : CANDIDATES.find((path) => existsSync(path));
  if (found) return found;
  console.error('Installing Chromium for the panel tests …');
  installPackage('chromium');
  const installed = CANDIDATES.find((path) => existsSync(path));
  if (installed) return installed;
  console.error('The panel tests need Chromium: install the package "chromium", or name a browser in CHROMIUM_PATH.');
  process.exit(1);
}
