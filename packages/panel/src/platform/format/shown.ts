/** Longer texts are cut; the whole text is in the copy button and the JSON. */
const MAX_SHOWN = 300;
/** Direction overrides and isolates, which make `exe.gpj` read `jpg.exe`, and control characters; line breaks and tabs stay. */
const DECEIVING = /(?![\t\n\r])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text of the gateway for display: of bounded length, because a browser needs seconds to lay out a megabyte in one cell, and in
 * its written direction.
 */
export function shown(text: string, maxLength = MAX_SHOWN): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…` : text;
  return cut.replace(DECEIVING, '\ufffd');
}
