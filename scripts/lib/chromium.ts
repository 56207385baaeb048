import { existsSync } from 'node:fs';
import { installPackage } from './system-package.ts';

/** The headless shell needs half the processor time of the full browser. */
const PACKAGE = 'chromium-headless-shell';
const CANDIDATES = [`/usr/bin/${PACKAGE}`, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Browser for the panel tests: `CHROMIUM_PATH`, or the best one installed. */
export function installedChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH ?? '', ...CANDIDATES].find((path) => path !== '' && existsSync(path));
}

/** The same; installs the distribution's package when missing, and ends the process if that fails. */
export function ensureChromium(): string {
  const found = installedChromium();
  if (found !== undefined && (found === process.env.CHROMIUM_PATH || found === CANDIDATES[0])) return found;
  console.error('Installing Chromium for the panel tests …');
  installPackage(PACKAGE);
  const installed = installedChromium();
  if (installed !== undefined) return installed;
  console.error(`The panel tests need Chromium: install the package "${PACKAGE}", or name a browser in CHROMIUM_PATH.`);
  process.exit(1);
}
