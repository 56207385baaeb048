/** Environment variables by name, as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

const TRUE_TEXTS: ReadonlySet<string> = new Set(['1', 'true', 'yes', 'on']);
const FALSE_TEXTS: ReadonlySet<string> = new Set(['0', 'false', 'no', 'off']);

/** Reads settings by the rule environment over file over default, and collects warnings for the operator. */
export class SettingReader {
  readonly warnings: string[] = [];
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  /** Trimmed value, '' when not set or blank. */
  env(name: string): string {
    return (this.#env[name] ?? '').trim();
  }

  warn = (message: string): void => {
    this.warnings.push(message);
  };

  text(name: string, fileValue: string | null | undefined, fallback: string): string {
    return this.env(name) || (fileValue ?? '').trim() || fallback;
  }

  choice<T extends string>(name: string, fileValue: string | null | undefined, allowed: readonly T[], fallback: T): T {
    const value = this.text(name, fileValue, fallback).toLowerCase();
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined) this.warn(`${name}: unknown value, using ${fallback} (known: ${allowed.join(', ')})`);
    return found ?? fallback;
  }

  /** Integers above zero; anything else falls back to the next source, and what is above `most` becomes it. */
  positiveInteger(
    name: string,
    fileValue: number | null | undefined,
    fallback: number,
    most = Number.MAX_SAFE_INTEGER,
  ): number {
    const next = fileValue != null && fileValue > 0 ? fileValue : fallback;
    const text = this.env(name);
    const value = text === '' ? next : parseDecimal(text);
    if (value === null || value <= 0) {
      this.warn(`${name}: not an integer above 0, using ${next}`);
      return Math.min(next, most);
    }
    if (value > most) this.warn(`${name}: ${value} is too large, using ${most}`);
    return Math.min(value, most);
  }

  /** Any text that does not mean true is false, so that a variable can disable what the file enables. */
  flag(name: string, fileValue: boolean | null | undefined, fallback: boolean): boolean {
    const value = this.env(name).toLowerCase();
    if (value === '') return fileValue ?? fallback;
    if (!TRUE_TEXTS.has(value) && !FALSE_TEXTS.has(value)) this.warn(`${name}: neither true nor false, using false`);
    return TRUE_TEXTS.has(value);
  }

  isSet(name: string): boolean {
    return this.env(name) !== '';
  }
}

/** Complete decimal text or null: `12abc` is not 12. */
export function parseDecimal(text: string): number | null {
  if (!/^[+-]?\d+$/.test(text)) return null;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : null;
}
