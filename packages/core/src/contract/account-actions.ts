import * as z from 'zod';
import { CANDIDATE_STATUSES } from './constants.ts';

export const CANDIDATE_ACTIONS = ['delete', 'reauth', 'review'] as const;
/** The recommended action. It does not limit what the operator may do. */
export type CandidateAction = (typeof CANDIDATE_ACTIONS)[number];

export type CandidateStatus = (typeof CANDIDATE_STATUSES)[number];

/** The failure a candidate was last seen with. Unknown members are left out. */
export const candidateEvidenceSchema = z.strictObject({
  eventHash: z.string().optional(),
  requestId: z.string().optional(),
  timestamp: z.string().optional(),
  timestampMs: z.int().optional(),
  statusCode: z.int().optional(),
  /** Sanitised; the body is never kept. */
  failSummary: z.string().optional(),
  errorCode: z.string().optional(),
  errorType: z.string().optional(),
  headerErrorKind: z.string().optional(),
  headerErrorCode: z.string().optional(),
  headerTraceId: z.string().optional(),
  authIndex: z.string().optional(),
  authFileName: z.string().optional(),
  accountSnapshot: z.string().optional(),
  accountIdSnapshot: z.string().optional(),
  authLabel: z.string().optional(),
  provider: z.string().optional(),
  model: z.string().optional(),
  endpoint: z.string().optional(),
  actionType: z.string().optional(),
  reasonCode: z.string().optional(),
  reason: z.string().optional(),
  confidence: z.string().optional(),
  autoDisableEligible: z.boolean().optional(),
});
export type CandidateEvidence = z.infer<typeof candidateEvidenceSchema>;

export const candidateSchema = z.strictObject({
  id: z.int(),
  actionType: z.enum(CANDIDATE_ACTIONS),
  status: z.enum(CANDIDATE_STATUSES),
  provider: z.string().optional(),
  authFileName: z.string(),
  authIndex: z.string().optional(),
  accountSnapshot: z.string().optional(),
  accountIdSnapshot: z.string().optional(),
  /** For display only. */
  authLabel: z.string().optional(),
  reasonCode: z.string().optional(),
  reason: z.string(),
  autoDisableEligible: z.boolean(),
  autoDisabledAtMs: z.int().optional(),
  /** Until then a success withdraws it: `resolved`, with the reason `superseded`. */
  confirmingUntilMs: z.int().optional(),
  evidence: candidateEvidenceSchema.optional(),
  lastError: z.string().optional(),
  firstSeenAtMs: z.int(),
  lastSeenAtMs: z.int(),
  hitCount: z.int(),
  createdAtMs: z.int(),
  updatedAtMs: z.int(),
});
export type AccountActionCandidate = z.infer<typeof candidateSchema>;

export const candidateListResponseSchema = z.strictObject({
  /** Pending first, then by last seen, newest first. */
  items: z.array(candidateSchema),
  /** All pending candidates, whatever the filter. */
  pendingCount: z.int(),
});
export type CandidateListResponse = z.infer<typeof candidateListResponseSchema>;

/** Answer of every action. */
export const candidateResponseSchema = z.strictObject({ item: candidateSchema });
export type CandidateResponse = z.infer<typeof candidateResponseSchema>;
