/** Text that a spreadsheet would run as a formula, also after spaces and with full-width signs. */
const FORMULA = /^[\t\r\n]|^\s*[=+\-@＝＋－＠]/;

/** One CSV field. A text that looks like a formula gets a leading apostrophe. */
export function csvField(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  if (typeof value === 'boolean') return String(value);
  const text = String(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
