/** Separators between digits in any language: spaces of any width, comma, point, apostrophe. */
const SEPARATORS = /[\s,.'’]/g;

/** Whether the required word was typed; a number also with the separators it is shown with. */
export function isTyped(typed: string, word: string): boolean {
  return (/^\d+$/.test(word) ? typed.replace(SEPARATORS, '') : typed.trim()) === word;
}
