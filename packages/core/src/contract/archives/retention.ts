import * as z from 'zod';

/** Body of `PATCH …/usage/maintenance/retention`. Absent members change nothing. */
export const archiveRetentionPatchSchema = z.strictObject({
  enabled: z.boolean('true or false expected').optional(),
  days: z.number('a number expected').optional(),
});
export type ArchiveRetentionPatch = z.infer<typeof archiveRetentionPatchSchema>;

/** Automatic archiving in effect: environment over saved value over configuration file. Answer of GET and PATCH. */
export const archiveRetentionSchema = z.strictObject({
  enabled: z.boolean(),
  /** Events older than this are archived and deleted. */
  days: z.int(),
  /** Set by the environment: it can only be changed there. */
  enabled_locked: z.boolean(),
  days_locked: z.boolean(),
  /** The allowed range of `days`. */
  least_days: z.int(),
  most_days: z.int(),
  /** Absent when never saved. */
  updated_at_ms: z.int().optional(),
});
export type ArchiveRetention = z.infer<typeof archiveRetentionSchema>;
