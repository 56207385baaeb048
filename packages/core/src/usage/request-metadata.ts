import { exceedsUtf8, firstUtf8Bytes, trimText } from '../json/text.ts';

/** White space and everything without a glyph: controls, bidi and zero-width marks, unassigned characters. */
const NOT_GRAPHIC = /[\p{Z}\p{C}]+/gu;
/** Printable ASCII with single spaces inside: nothing to clean. */
const CLEAN = /^[!-~]+(?: [!-~]+)*$/;
const DOTS = '...';

function clean(text: string, limit: number): string {
  if (text === '') return text;
  const cleaned = CLEAN.test(text) ? text : trimText(text.replace(NOT_GRAPHIC, ' '));
  if (!exceedsUtf8(cleaned, limit)) return cleaned;
  return firstUtf8Bytes(cleaned, limit - DOTS.length) + DOTS;
}

/*
 * Facts about the caller are chosen by the caller: they are cleaned before they are stored or shown. Limits in bytes.
 */

export const cleanClientIp = (text: string): string => clean(text, 64);
export const cleanForwardedFor = (text: string): string => clean(text, 2048);
export const cleanUserAgent = (text: string): string => clean(text, 1024);
