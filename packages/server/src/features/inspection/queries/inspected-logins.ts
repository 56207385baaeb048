import type { ReaderContext } from '../../../sqlite/contexts.ts';

/** An account whose newest inspection found that it has to sign in again. */
export interface InspectedLogin {
  readonly fileName: string;
  readonly authIndex: string;
  readonly displayAccount: string;
  readonly provider: string;
  readonly atMs: number;
}

/**
 * Read operation: of the newest result of each account since a time. Runs are few and old ones are removed, so that all their results
 * are read.
 */
export function inspectedLogins({ db }: ReaderContext, sinceMs: number): InspectedLogin[] {
  return db
    .query<InspectedLogin, [number]>(
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
           WHERE created_at_ms > ? AND still_wanted()
           GROUP BY account_key
         )
         AND action = 'reauth'
       ORDER BY file_name, auth_index`,
    )
    .all(sinceMs);
}
