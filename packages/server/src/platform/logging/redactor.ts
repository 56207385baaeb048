import { isHarmless, REDACTED } from '@manager/core/redaction/redact';
import { shownText, shownValue } from '@manager/core/redaction/values';

/** Shorter values would remove ordinary words. */
const MIN_SECRET_LENGTH = 4;
const MAX_SECRETS = 64;

/** Shorter than in texts of providers: our own lines have no ordinary words after it. */
const BEARER = /\b(bearer\s+)[^\s"',]+/gi;
const shown = (text: string) => shownText(text.replace(BEARER, `$1${REDACTED}`));

/** Removes secrets from text before it leaves the process. */
export interface Redactor {
  /** Registers a secret value; may be repeated. */
  protect(secret: string): void;
  redact(text: string): string;
}

export function createRedactor(): Redactor {
  // In order of use: above the limit the oldest is dropped.
  const secrets = new Map<string, readonly string[]>();
  // The admin key is registered with every request.
  let newest = '';

  return {
    protect(secret) {
      const value = secret.trim();
      if (value.length < MIN_SECRET_LENGTH || value === newest) return;
      newest = value;
      secrets.delete(value);
      secrets.set(value, spellings(value));
      const oldest = secrets.keys().next();
      if (secrets.size > MAX_SECRETS && !oldest.done) secrets.delete(oldest.value);
    },
    redact(text) {
      let clean = text;
      for (const forms of secrets.values()) {
        for (const form of forms) if (clean.includes(form)) clean = clean.replaceAll(form, REDACTED);
      }
      // Most lines contain nothing that must be looked at.
      return isHarmless(clean) ? clean : (redactedLine(clean) ?? shown(clean));
    },
  };
}

/** A line of JSON, value by value, so that it stays JSON; null for every other text. */
function redactedLine(line: string): string | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.stringify(shownValue(JSON.parse(line), shown)) + (line.endsWith('\n') ? '\n' : '');
  } catch {
    return null;
  }
}

/** Plain, inside JSON, and inside a URL. */
function spellings(value: string): readonly string[] {
  return [...new Set([value, JSON.stringify(value).slice(1, -1), encodeUrl(value)])];
}

function encodeUrl(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    // A lone surrogate has no URL form.
    return value;
  }
}
