/** Lines in one piece: a text area lays out all of its lines again with every key. */
export const PIECE_LINES = 2_000;

/** Some lines of a text, and what is around them. */
export interface Piece {
  readonly index: number;
  readonly head: string;
  readonly body: string;
  readonly tail: string;
  /** Count from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** In the whole text. */
  readonly lines: number;
}

/** The piece of this index, or the last one. */
export function pieceOf(text: string, wanted: number): Piece {
  const starts = [0];
  let lines = 1;
  for (let at = text.indexOf('\n') + 1; at > 0 && at < text.length; at = text.indexOf('\n', at) + 1) {
    if (lines % PIECE_LINES === 0) starts.push(at);
    lines++;
  }
  const index = Math.min(wanted, starts.length - 1);
  const [from, to] = [starts[index] ?? 0, starts[index + 1] ?? text.length];
  return {
    index,
    head: text.slice(0, from),
    body: text.slice(from, to),
    tail: text.slice(to),
    firstLine: index * PIECE_LINES + 1,
    lastLine: Math.min((index + 1) * PIECE_LINES, lines),
    lines,
  };
}
