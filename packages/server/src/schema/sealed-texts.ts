import type { Database } from 'bun:sqlite';
import { isEnvelope } from '../platform/secrets/envelope.ts';
import type { SecretVault } from '../platform/secrets/vault.ts';

/** Texts that may be encrypted with the data key, by the table that has them. Of configurations, which are long, the newest. */
const SOURCES: Readonly<Record<string, string>> = {
  settings: 'SELECT value AS text FROM settings',
  notification_targets: 'SELECT secrets AS text FROM notification_targets',
  gateway_configurations: `
    SELECT envelope AS text
    FROM gateway_configurations
    WHERE id = (SELECT id FROM gateway_configurations ORDER BY last_seen_at_ms DESC, id DESC LIMIT 1)`,
};

/**
 * Everything that a database of this version or an earlier one keeps encrypted: what decides whether a data key is the right one, and whether
 * a missing one may be replaced by a new one.
 */
export function sealedTexts(db: Database): readonly string[] {
  return Object.entries(SOURCES).flatMap(([table, sql]) =>
    hasTable(db, table) ? db.query<{ text: string }, []>(sql).all().flatMap(sealedIn) : [],
  );
}

/** How many of them a data key decrypts; without a key none. */
export function openedBy(vault: Pick<SecretVault, 'open'>, sealed: readonly string[]): 'all' | 'some' | 'none' {
  const opened = sealed.filter((text) => vault.open(text).ok).length;
  if (opened === sealed.length) return 'all';
  return opened === 0 ? 'none' : 'some';
}

function hasTable(db: Database, name: string): boolean {
  return db.query('SELECT 1 FROM sqlite_schema WHERE type = ? AND name = ?').get('table', name) !== null;
}

/** The text itself, or what its JSON has at any depth. */
function sealedIn({ text }: { readonly text: string }): readonly string[] {
  if (isEnvelope(text)) return [text.trim()];
  const found: string[] = [];
  try {
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value === 'string' && isEnvelope(value)) found.push(value.trim());
    });
  } catch {
    // A damaged setting is repaired elsewhere.
  }
  return found;
}
