import type { KeyRow } from '../key-rows.ts';
import type { KeyChanges } from '../use-key-changes.ts';

export interface NewKeyDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The key that the new one replaces, null = none. */
  readonly successorOf: KeyRow | null;
  readonly rows: readonly KeyRow[];
  readonly aliases: ReadonlyMap<string, string>;
  /** False where names are not supported. */
  readonly named: boolean;
  readonly activeHashes: ReadonlySet<string>;
  readonly changes: KeyChanges;
  /** The new key is in the list. */
  readonly onStored: (stored: StoredKey) => void;
}

export interface StoredKey {
  readonly key: string;
  readonly hash: string;
  /** '' = stored, or none was given. */
  readonly aliasError: string;
  /** What the replaced key did belongs to it too. */
  readonly follows: boolean;
}
