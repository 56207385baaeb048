/** Stands in a template for a value that was taken out. JSON text never holds it; other text that does is not split. */
const HOLE = '\u0000';
const QUOTE = 34;
const COLON = 58;
const MINUS = 45;
const BACKSLASH = 92;

/**
 * Splits JSON text into its shape (punctuation, member names, `true`, `false`, `null`) and the source text of its values.
 * Joining them again gives the identical text, whatever it was: nothing is parsed. The values are appended to
 * `sources`, and to `areTexts` whether each stood in quotes. Returns null when the text cannot be split.
 *
 * @example splitJson('{"a":12,"b":["x"]}', sources, areTexts) // '{"a":\0,"b":["\0"]}', sources 12 and x
 */
export function splitJson(text: string, sources: string[], areTexts: boolean[]): string | null {
  if (text.includes(HOLE)) return null;
  const end = text.length;
  let template = '';
  let from = 0;
  let at = 0;
  while (at < end) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      const close = closingQuote(text, at + 1);
      if (close < 0) return null;
      if (text.charCodeAt(close + 1) !== COLON) {
        template += text.slice(from, at + 1) + HOLE;
        from = close;
        sources.push(text.slice(at + 1, close));
        areTexts.push(true);
      }
      at = close + 1;
    } else if (isDigit(unit) || unit === MINUS) {
      const stop = endOfNumber(text, at + 1);
      template += text.slice(from, at) + HOLE;
      from = stop;
      sources.push(text.slice(at, stop));
      areTexts.push(false);
      at = stop;
    } else {
      at += 1;
    }
  }
  return template + text.slice(from);
}

export function joinJson(template: string, next: () => string): string {
  let text = '';
  let from = 0;
  for (let at = template.indexOf(HOLE); at >= 0; at = template.indexOf(HOLE, from)) {
    text += template.slice(from, at) + next();
    from = at + 1;
  }
  return text + template.slice(from);
}

function closingQuote(text: string, from: number): number {
  const end = text.length;
  for (let at = from; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at;
    if (unit === BACKSLASH) at += 1;
  }
  return -1;
}

function endOfNumber(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // Digits, sign, point, exponent.
    if (!(isDigit(unit) || unit === 46 || unit === 43 || unit === MINUS || unit === 101 || unit === 69)) break;
  }
  return at;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}
