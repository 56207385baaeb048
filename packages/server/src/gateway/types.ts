import type { UpstreamConnection } from '../platform/config/config.ts';

/** State of the refused-key gate as `/status` shows it. */
export interface KeyRefused {
  readonly tries: number;
  readonly lastAtMs: number;
  readonly nextTryAtMs: number;
}

/**
 * One gate for every call that carries the saved upstream key. The upstream bans an address for 30 minutes after five
 * refusals in a row, so at most three tries are made, then one per three hours. The count is kept in `settings`.
 */
export interface KeyRefusalGate {
  /**
   * Asks for leave to use the key. `explicit` (setup, config save) is always let through. A permit that was given counts as
   * pending until `report` is called, so that parallel calls cannot pass the limit together.
   */
  enter(connection: UpstreamConnection, options?: { readonly explicit?: boolean }): GatePermit;
  /**
   * Leave for a call with a caller's own key that the upstream counts under the manager's address. Its refusals add up with
   * ours, so without a limit any stranger could get the manager banned. Only `refused` matters in the report.
   */
  enterForeign(): GatePermit;
  snapshot(): KeyRefused | null;
}

export type GatePermit =
  | { readonly open: true; report(outcome: 'accepted' | 'refused' | 'unknown', detail?: string): void }
  | { readonly open: false; readonly refused: KeyRefused; readonly detail: string };

/** The connection in effect, and where it comes from. */
export interface EffectiveConnection {
  readonly source: 'env' | 'db' | '';
  /** null when URL or key is missing (or cannot be decrypted). */
  readonly connection: UpstreamConnection | null;
  /** The URL even when the key is missing, '' when none. */
  readonly baseUrl: string;
}
