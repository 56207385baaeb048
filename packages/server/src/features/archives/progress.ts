import type { StageProgress } from './stages/stage.ts';

/** Each write is a synced transaction, so steps in between are skipped. */
const EVERY_MS = 500;

/** Writes the first and the last progress of a phase, and some in between. A failed write loses only its number. */
export function createProgressWriter(
  write: (progress: StageProgress) => Promise<unknown>,
  elapsed: () => number,
): (progress: StageProgress) => Promise<void> {
  let phase = '';
  let writtenAtMs = 0;
  return async (progress) => {
    const nowMs = elapsed();
    const isBorder = progress.phase !== phase || progress.current >= progress.total;
    if (!isBorder && nowMs - writtenAtMs < EVERY_MS) return;
    phase = progress.phase;
    writtenAtMs = nowMs;
    await write(progress).catch(() => {});
  };
}
