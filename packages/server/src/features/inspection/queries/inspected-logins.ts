import type { ReaderContext } from '../../../sqlite/contexts.ts';

/** Whether an account has to sign in again, as the newest inspection that proves anything found. */
export interface InspectedLogin {
  readonly fileName: string;
  readonly authIndex: string;
  readonly displayAccount: string;
  readonly provider: string;
  readonly accountSnapshot: string;
  readonly needsLogin: boolean;
  readonly atMs: number;
}

/** `isInconclusive`, the other way round. */
const CONCLUSIVE = `(
  error_kind NOT IN ('not_readable', 'protocol_changed')
  AND action_reason NOT LIKE '%\\_recovery\\_unknown' ESCAPE '\\'
  AND status_code BETWEEN 200 AND 299
)`;

/**
 * Read operation: every account whose inspections are kept, unless it was deleted for what they found. A result that proves nothing, such as an answer 500, ends no earlier finding, nor does time. Runs are few and old ones
 * are removed, so that all their results are read.
 */
export function inspectedLogins({ db }: ReaderContext, _: null): InspectedLogin[] {
  return db
    .query<Omit<InspectedLogin, 'needsLogin'> & { readonly needsLogin: number }, []>(
      `SELECT
         file_name AS fileName,
         auth_index AS authIndex,
         display_account AS displayAccount,
         account_snapshot AS accountSnapshot,
         provider,
         action = 'reauth' AS needsLogin,
         created_at_ms AS atMs
       FROM inspection_results
       WHERE id IN (
           SELECT max(id)
           FROM inspection_results
           WHERE (action = 'reauth' OR ${CONCLUSIVE}) AND still_wanted()
           GROUP BY account_key
         )
         AND NOT (action = 'reauth' AND executed_action = 'delete')
       ORDER BY file_name, auth_index`,
    )
    .all()
    .map((row) => ({ ...row, needsLogin: row.needsLogin !== 0 }));
}
