/** Of a text or a template that is kept as a word, in UTF-16 units. */
export const LONGEST_WORD = 16_384;
