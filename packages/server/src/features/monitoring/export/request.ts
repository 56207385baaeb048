import type { ExportFormat, RequestExport } from '@manager/core/contract/monitoring/request-export';
import type { NamesToMask } from '@manager/core/masking/mask';
import { type AnalyticsQuestion, checkQuestion } from '../request.ts';

/** A validated request for a file. */
export interface ExportQuery extends AnalyticsQuestion {
  readonly format: ExportFormat;
  readonly masked: boolean;
  /** Names with equal masks are numbered in this order. */
  readonly maskOrder: readonly NamesToMask[];
}

/** @throws AppError 400 for an invalid range, time zone or filter */
export function checkExport(request: RequestExport): ExportQuery {
  return {
    ...checkQuestion(request),
    format: request.format ?? 'jsonl',
    masked: request.masked ?? true,
    maskOrder: request.mask_order ?? [],
  };
}
