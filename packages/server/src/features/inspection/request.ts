import { AppError } from '@manager/core/contract/errors';
import { type InspectionActionsRequest, inspectionActionsRequestSchema } from '@manager/core/contract/inspection/runs';
import { parseJsonBody } from '../../http/body.ts';

/** Some ten thousand ids. */
export const ACTIONS_LIMIT_BYTES = 128 * 1024;
const RUN_ID = /^[1-9]\d{0,14}$/;

export function requireRunId(text: string): number {
  if (!RUN_ID.test(text)) {
    throw new AppError('inspection_run_id_invalid');
  }
  return Number(text);
}

export function readActionsRequest(body: Uint8Array): InspectionActionsRequest {
  return parseJsonBody(inspectionActionsRequestSchema, body);
}
