import type { ReaderContext } from '../../../sqlite/contexts.ts';

/** An account that has to sign in again, as the newest inspection that proves anything found. */
export interface InspectedLogin {
  readonly fileName: string;
  readonly authIndex: string;
  readonly displayAccount: string;
  readonly provider: string;
  readonly atMs: number;
}

/** `isInconclusive`, the other way round. */
const CONCLUSIVE = `(
  error_kind NOT IN ('not_readable', 'protocol_changed')
  AND action_reason NOT LIKE '%\\_recovery\\_unknown' ESCAPE '\\'
  AND status_code BETWEEN 200 AND 299
)`;

/**
 * Read operation. A result that proves nothing, such as an answer 500, ends no earlier finding, nor does time. Runs are few and old ones
 * are removed, so that all their results are read.
 */
export function inspectedLogins({ db }: ReaderContext, _: null): InspectedLogin[] {
  return db
    .query<InspectedLogin, []>(
      `SELECT
         file_name AS fileName,
         auth_index AS authIndex,
         display_account AS displayAccount,
         provider,
         created_at_ms AS atMs
       FROM inspection_results
       WHERE id IN (
           SELECT max(id)
           FROM inspection_results
           WHERE (action = 'reauth' OR ${CONCLUSIVE}) AND still_wanted()
           GROUP BY account_key
         )
         AND action = 'reauth'
       ORDER BY file_name, auth_index`,
    )
    .all();
}
