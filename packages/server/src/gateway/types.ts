import type { KeyRefusalReason } from '@manager/core/contract/system/status';
import type { GatewayConnection } from '../platform/config/config.ts';
import type { RefusalRow } from './refusal-row.ts';

/** State of the refused-key gate in `/status`. */
export interface KeyRefused {
  /** Of the last refusal. */
  readonly reason: KeyRefusalReason;
  readonly tries: number;
  readonly lastAtMs: number;
  readonly nextTryAtMs: number;
}

/**
 * One gate for every request with the saved management key. The gateway bans an address for 30 minutes after five refusals in a
 * row, so at most three tries are made, then one per three hours. A refusal that is not about the key is not counted there, so it is
 * tried again when its cause can have ended. The count is stored in `settings`.
 */
export interface KeyRefusalGate {
  /**
   * Asks for permission to use the key. `explicit` (setup, config save) is allowed unless this very pair of URL and key was
   * rejected within 10 minutes; `sent` only counts what was sent already. A permit counts as pending until `report` is called, so
   * that parallel requests cannot pass the limit together.
   */
  enter(connection: GatewayConnection, options?: { readonly explicit?: boolean; readonly sent?: boolean }): GatePermit;
  /**
   * Whether the next request should wait for a check of the key: others have no answer yet, and the key may have changed at the
   * gateway since it was last accepted. All of them together could be the refusals that ban the manager.
   */
  needsCheck(connection: GatewayConnection): boolean;
  /** Rejected keys that this gateway still takes before it bans the manager. */
  triesLeft(connection: GatewayConnection): number;
  /** Shared with callers who have a key of their own (`foreign-keys.ts`). */
  readonly row: RefusalRow;
  /** Refusals of the saved key in this row, and those that it may still get. */
  ownRefusals(): { readonly counted: number; readonly possible: number };
  snapshot(): KeyRefused | null;
}

export type GatePermit =
  | { readonly open: true; report(outcome: 'accepted' | 'refused' | 'unknown', detail?: string): void }
  | { readonly open: false; readonly refused: KeyRefused; readonly detail: string };

/** The connection in effect and its source. */
export interface EffectiveConnection {
  readonly source: 'env' | 'db' | '';
  /** null when URL or key is missing (or cannot be decrypted). */
  readonly connection: GatewayConnection | null;
  /** The URL even when the key is missing, '' = not set. */
  readonly baseUrl: string;
}
