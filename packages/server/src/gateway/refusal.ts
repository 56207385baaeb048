import type { GatewayConnection } from '../platform/config/config.ts';
import { GatewayError } from './errors.ts';
import type { GatePermit, KeyRefusalGate } from './types.ts';

export type OpenPermit = Extract<GatePermit, { readonly open: true }>;

/** Permission to use the saved key. @throws GatewayError `gate_shut` */
export function openPermit(
  gate: KeyRefusalGate,
  connection: GatewayConnection,
  options: { readonly explicit?: boolean } = {},
): OpenPermit {
  const permit = gate.enter(connection, options);
  if (permit.open) return permit;
  throw new GatewayError('gate_shut', permit.detail, { refused: permit.refused });
}

/** Counts a refusal in the middle of a session, when no permit is open any more. */
export function countRefusal(gate: KeyRefusalGate, connection: GatewayConnection, error: unknown): void {
  if (!(error instanceof GatewayError) || error.kind !== 'key_refused') return;
  const permit = gate.enter(connection, { sent: true });
  if (permit.open) permit.report('refused', error.message);
}
