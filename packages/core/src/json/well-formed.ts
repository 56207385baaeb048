/** Any escape of a surrogate half; most texts have none. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;
/** A whole pair, a lone half, or any other escape, so that `\\ud800` (an escaped backslash) is passed over. */
const ESCAPES = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\[\s\S]/g;
const ESCAPE_LENGTH = '\\ud800'.length;

/**
 * Replaces lone surrogates in JSON text, written directly or as escapes, by U+FFFD. A database would do the same silently;
 * here it can be counted.
 */
export function withoutLoneSurrogates(json: string): { readonly text: string; readonly repaired: boolean } {
  let repaired = !json.isWellFormed();
  let text = repaired ? json.toWellFormed() : json;
  if (SURROGATE_ESCAPE.test(text)) {
    text = text.replace(ESCAPES, (found) => {
      if (found.length !== ESCAPE_LENGTH) return found;
      repaired = true;
      return '\\ufffd';
    });
  }
  return { text, repaired };
}
