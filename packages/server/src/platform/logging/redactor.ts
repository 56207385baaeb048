const CENSOR = '[redacted]';
/** Shorter values would remove ordinary words. */
const MIN_SECRET_LENGTH = 4;
const MAX_SECRETS = 64;

/** Secrets that are recognized by their form, and e-mail addresses, which keep only the first letter and the domain. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer\s+)[^\s"',]+/gi, `$1${CENSOR}`],
  [/\bmgr_[\w-]{20,}/g, CENSOR],
  [/\bsk-[\w-]{16,}/g, CENSOR],
  [/\bAIza[\w-]{20,}/g, CENSOR],
  [/(\/\/)[^/\s"@]*@/g, `$1${CENSOR}@`],
  [/\b([\w%+])[\w.%+-]*@([\w-]+(?:\.[\w-]+)*\.[a-z]{2,})\b/gi, '$1***@$2'],
];

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
        for (const form of forms) if (clean.includes(form)) clean = clean.replaceAll(form, CENSOR);
      }
      for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
      return clean;
    },
  };
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
