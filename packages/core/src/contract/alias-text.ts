/** Line breaks and other controls, and what changes the direction of the text after it. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
/** Joiners inside emoji and words are wanted, alone they are invisible. */
const VISIBLE = /[^\p{Cf}\s]/u;

/** Whether a name can be shown in a line of text, and be told from an empty one. */
export function isShowable(alias: string): boolean {
  return alias.isWellFormed() && VISIBLE.test(alias) && !CONTROLS.test(alias);
}
