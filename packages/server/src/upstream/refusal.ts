import type { UpstreamConnection } from '../config/config.ts';
import { UpstreamError } from './errors.ts';
import type { GatePermit, KeyRefusalGate } from './types.ts';

export type OpenPermit = Extract<GatePermit, { readonly open: true }>;

/** Leave to use the saved key. @throws UpstreamError `gate_shut` */
export function openPermit(
  gate: KeyRefusalGate,
  connection: UpstreamConnection,
  options: { readonly explicit?: boolean } = {},
): OpenPermit {
  const permit = gate.enter(connection, options);
  if (permit.open) return permit;
  throw new UpstreamError('gate_shut', permit.detail, { refused: permit.refused });
}
