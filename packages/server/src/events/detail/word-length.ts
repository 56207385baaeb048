/** Longest text or template of a word, in UTF-16 units. */
export const LONGEST_WORD = 16_384;
