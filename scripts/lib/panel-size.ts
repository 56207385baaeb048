import { readFileSync, statSync } from 'node:fs';
import { PANEL_FILE } from './project.ts';

const MAX_RAW_BYTES = 2_400_000;
const MAX_BROTLI_BYTES = 600_000;

/** A member that only the schema library has. */
const SCHEMA_MARK = '_zod';

/** Fails the build when the panel is over its budget, or carries the schemas of the contract. */
export function checkPanelSize(): void {
  const raw = statSync(PANEL_FILE).size;
  const brotli = statSync(`${PANEL_FILE}.br`).size;
  console.error(`Panel: ${raw} bytes, ${brotli} with brotli (budget ${MAX_RAW_BYTES} and ${MAX_BROTLI_BYTES}).`);
  if (raw > MAX_RAW_BYTES || brotli > MAX_BROTLI_BYTES) {
    console.error('The panel is over its budget.');
    process.exit(1);
  }
  if (readFileSync(PANEL_FILE, 'utf8').includes(SCHEMA_MARK)) {
    console.error(
      'The panel carries the schema library: take values from core/contract/constants.ts, types alone from the rest.',
    );
    process.exit(1);
  }
}
