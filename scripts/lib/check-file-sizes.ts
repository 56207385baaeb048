import { sourceFiles } from './source-files.ts';

const MAX_LINES = 400;
/** A file over the limit says why in its first lines. */
const REASON = /^\/\/ Over 400 lines because .{20,}/m;

/** True when every source file is within the limit or states its reason at the top. */
export function checkFileSizes(): boolean {
  const tooLong = sourceFiles().filter(({ text }) => {
    const lines = text.split('\n');
    return lines.length - 1 > MAX_LINES && !REASON.test(lines.slice(0, 5).join('\n'));
  });
  for (const { path, text } of tooLong)
    console.error(`${path}: ${text.split('\n').length - 1} lines, at most ${MAX_LINES}`);
  return tooLong.length === 0;
}
