const CUT = '…';

/** Cut to a number of UTF-16 units, never within a character; the cut shows. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = most - 1;
  const isPair = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return `${text.slice(0, isPair ? end - 1 : end)}${CUT}`;
}

/** Cut to a number of bytes in UTF-8, never within a character; the cut shows. */
export function shortenedToBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  let size = Buffer.byteLength(CUT);
  let kept = '';
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > most) break;
    kept += character;
  }
  return kept + CUT;
}
