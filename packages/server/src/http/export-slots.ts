import { AppError } from '@manager/core/contract/errors';

/** Exports that run, of all kinds. */
export interface ExportSlots {
  /** Exports that run or wait for their start. */
  running(): number;
  /** The result ends it; it may be called more than once. */
  enter(): Promise<() => void>;
}

const MAX_EXPORTS = 4;

/** Begins an export; the result ends it. @throws AppError 503 when too many are running */
export function enterExport(exports: ExportSlots): Promise<() => void> {
  if (exports.running() >= MAX_EXPORTS) {
    throw new AppError('too_many_exports', {
      message: `${MAX_EXPORTS} exports are running; try again when one ends`,
      headers: { 'Retry-After': '10' },
    });
  }
  return exports.enter();
}
