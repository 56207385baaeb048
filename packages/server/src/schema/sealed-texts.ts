import type { Database } from 'bun:sqlite';
import { isEnvelope } from '../platform/secrets/envelope.ts';
import { openForReading } from '../sqlite/open-unused.ts';

/** Texts that may be encrypted with the data key, by the table that has them. Of configurations, which are long, the newest. */
const SOURCES: Readonly<Record<string, string>> = {
  settings: 'SELECT value AS text FROM settings',
  notification_targets: 'SELECT secrets AS text FROM notification_targets',
  gateway_configurations: 'SELECT envelope AS text FROM gateway_configurations ORDER BY id DESC LIMIT 1',
};

/** What a database of this version or an earlier one keeps encrypted. Writes nothing. */
export function sealedTexts(path: string): readonly string[] {
  const db = openForReading(path);
  try {
    return Object.entries(SOURCES).flatMap(([table, sql]) =>
      hasTable(db, table) ? db.query<{ text: string }, []>(sql).all().flatMap(sealedIn) : [],
    );
  } finally {
    db.close();
  }
}

function hasTable(db: Database, name: string): boolean {
  return db.query('SELECT 1 FROM sqlite_schema WHERE type = ? AND name = ?').get('table', name) !== null;
}

/** The text itself, or what its JSON has at any depth. */
function sealedIn({ text }: { readonly text: string }): readonly string[] {
  if (isEnvelope(text)) return [text];
  const found: string[] = [];
  try {
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value === 'string' && isEnvelope(value)) found.push(value);
    });
  } catch {
    // A damaged setting is repaired elsewhere.
  }
  return found;
}
