/** An escape of a surrogate half; most texts have none. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;
/** A whole pair, a lone half, or any other escape, so that `\\ud800` (an escaped backslash) is skipped. */
const ESCAPES = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\[\s\S]/g;
const ESCAPE_LENGTH = '\\ud800'.length;

/**
 * Replaces lone surrogates in JSON text, direct or escaped, by U+FFFD. A database would do this silently; here they are
 * counted.
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
