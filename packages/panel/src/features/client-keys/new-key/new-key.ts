import type { KeyRow } from '../key-rows.ts';
import type { KeyChanges } from '../use-key-changes.ts';

export interface NewKeyDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The key that the new one takes the place of, null = none. */
  readonly successorOf: KeyRow | null;
  readonly rows: readonly KeyRow[];
  readonly aliases: ReadonlyMap<string, string>;
  /** Where names are not known, none is asked for. */
  readonly named: boolean;
  readonly activeHashes: ReadonlySet<string>;
  readonly changes: KeyChanges;
}

export interface StoredKey {
  readonly key: string;
  readonly hash: string;
  /** '' = it is stored, or none was wanted. */
  readonly aliasError: string;
}
