/** Longer names are no names; the whole text is behind the copy button and in the JSON. */
const MAX_SHOWN = 300;
/** Direction overrides and isolates, which make `exe.gpj` read `jpg.exe`, and control characters; lines and tabs stay. */
const DECEIVING = /(?![\t\n\r])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text of the gateway as the page shows it: of bounded length, because a browser needs seconds to lay out a megabyte in one
 * cell, and read in the order in which it was written.
 */
export function shown(text: string, maxLength = MAX_SHOWN): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…` : text;
  return cut.replace(DECEIVING, '\ufffd');
}
