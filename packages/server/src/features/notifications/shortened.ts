/** Cut to a number of UTF-16 units, never within a character; the cut shows. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = most - 1;
  const isPair = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return `${text.slice(0, isPair ? end - 1 : end)}…`;
}
