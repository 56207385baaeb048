/** Between the digits of a number, in whatever language: blanks of any width, comma, point, apostrophe. */
const SEPARATORS = /[\s,.'’]/g;

/** Whether the word that is asked for was typed; a number also with the separators that it is shown with. */
export function isTyped(typed: string, word: string): boolean {
  return (/^\d+$/.test(word) ? typed.replace(SEPARATORS, '') : typed.trim()) === word;
}
