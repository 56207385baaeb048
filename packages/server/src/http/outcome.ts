import { AppError, ERRORS } from '@manager/core/contract/errors';

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Text for a request that was sent and has no usable answer: whoever reads that a change failed repeats it.
 *
 * @example unknownOutcome('cut off', 'POST') // 'cut off; the request may have been carried out, check before you repeat it'
 */
export function unknownOutcome(text: string, method: string): string {
  return READING.has(method) ? text : `${text}; the request may have been carried out, check before you repeat it`;
}

/** For an answer whose body fails before anything was sent to the caller. */
export function answerCutOff(method: string, cause?: unknown): AppError {
  const message = unknownOutcome(ERRORS.gateway_answer_cut_off.message, method);
  return new AppError('gateway_answer_cut_off', { message, cause });
}
