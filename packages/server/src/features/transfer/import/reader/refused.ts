import type { ImportFormat } from '@manager/core/usage/import-record';

/** Largest record of a payload in bytes, without its line end. */
export const MAX_RECORD_BYTES = 10_485_760;

/** The payload is invalid and reading it has ended. The message names the rule and repeats nothing of the payload. */
export class PayloadRefused extends Error {
  /** The format it was just recognized as, if it was not reported before. */
  readonly format: ImportFormat | null;
  readonly unsupported: number;

  constructor(message: string, about: { readonly format?: ImportFormat; readonly unsupported?: number } = {}) {
    super(message);
    this.name = 'PayloadRefused';
    this.format = about.format ?? null;
    this.unsupported = about.unsupported ?? 0;
  }
}

export function recordTooLarge(where: string): PayloadRefused {
  return new PayloadRefused(`${where}: an event is larger than ${MAX_RECORD_BYTES} bytes`);
}
