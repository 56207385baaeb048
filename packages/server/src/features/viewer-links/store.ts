import type { Database } from 'bun:sqlite';
import type { ViewerLink } from '@manager/core/contract/viewer-links/links';
import type { OperationClient, ReaderContext, WriterContext } from '../../sqlite/contexts.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly keys: string | null;
  readonly created_at_ms: number;
  readonly expires_at_ms: number | null;
  readonly last_used_at_ms: number | null;
}

const COLUMNS = 'id, name, keys, created_at_ms, expires_at_ms, last_used_at_ms';

/** Read operation: the newest first. */
function viewerLinks({ db }: ReaderContext, _: null): ViewerLink[] {
  return db
    .query<Row, []>(`SELECT ${COLUMNS} FROM viewer_links ORDER BY created_at_ms DESC, id DESC`)
    .all()
    .map(toLink);
}

/** The link of a token's digest that has not expired; null = none. One row by a unique index. */
export function findViewerLink(db: Database, tokenHash: string, nowMs: number): ViewerLink | null {
  const row = db
    .query<Row, [string, number]>(
      `SELECT ${COLUMNS} FROM viewer_links WHERE token_hash = ? AND (expires_at_ms IS NULL OR expires_at_ms > ?)`,
    )
    .get(tokenHash, nowMs);
  return row === null ? null : toLink(row);
}

export interface NewViewerLink {
  readonly link: ViewerLink;
  readonly tokenHash: string;
  readonly most: number;
}

/** Write operation. @returns false when there are `most` links already */
function addViewerLink({ db }: WriterContext, { link, tokenHash, most }: NewViewerLink): boolean {
  const { changes } = db
    .query(
      `INSERT INTO viewer_links (${COLUMNS}, token_hash)
       SELECT ?, ?, ?, ?, ?, ?, ?
       WHERE (SELECT count(*) FROM viewer_links) < ?`,
    )
    .run(
      link.id,
      link.name,
      link.keys === null ? null : JSON.stringify(link.keys),
      link.createdAtMs,
      link.expiresAtMs,
      link.lastUsedAtMs,
      tokenHash,
      most,
    );
  return changes > 0;
}

/** Write operation. @returns false when there is no such link */
function removeViewerLink({ db }: WriterContext, id: string): boolean {
  return db.query('DELETE FROM viewer_links WHERE id = ?').run(id).changes > 0;
}

/** Write operation: the hour in which a link was used last. */
function noteViewerUse({ db }: WriterContext, { id, atMs }: { readonly id: string; readonly atMs: number }): void {
  db.query('UPDATE viewer_links SET last_used_at_ms = ? WHERE id = ?').run(atMs, id);
}

function toLink(row: Row): ViewerLink {
  return {
    id: row.id,
    name: row.name,
    keys: row.keys === null ? null : JSON.parse(row.keys),
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    lastUsedAtMs: row.last_used_at_ms,
  };
}

/** Listed in `workers/operations/reads.ts`. */
export const viewerLinkReads = { viewerLinks } as const;

/** Listed in `workers/operations/writes.ts`; each runs inside one transaction. */
export const viewerLinkWrites = { addViewerLink, removeViewerLink, noteViewerUse } as const;

export type ViewerLinkReads = Pick<OperationClient<typeof viewerLinkReads>, 'run'>;
export type ViewerLinkWrites = Pick<OperationClient<typeof viewerLinkWrites>, 'run'>;
