import { statSync } from 'node:fs';
import { PANEL_FILE } from './project.ts';

const MAX_RAW_BYTES = 2_400_000;
const MAX_BROTLI_BYTES = 600_000;

/** Fails the build when the panel is over its budget. */
export function checkPanelSize(): void {
  const raw = statSync(PANEL_FILE).size;
  const brotli = statSync(`${PANEL_FILE}.br`).size;
  console.error(`Panel: ${raw} bytes, ${brotli} with brotli (budget ${MAX_RAW_BYTES} and ${MAX_BROTLI_BYTES}).`);
  if (raw > MAX_RAW_BYTES || brotli > MAX_BROTLI_BYTES) {
    console.error('The panel is over its budget.');
    process.exit(1);
  }
}
