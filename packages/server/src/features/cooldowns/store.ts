import type { OperationClient } from '../../sqlite/contexts.ts';
import {
  activeCooldowns,
  dueCooldowns,
  endCooldown,
  nextCooldownTime,
  openCooldownsOfFile,
  pendingCooldowns,
  postponeCooldown,
  settleCooldown,
  storeCooldown,
} from './queries/rows.ts';
import { dropCooldownSignal, dueCooldownSignals, postponeCooldownSignal } from './queries/signals.ts';

/** Listed in `workers/operations/reads.ts`. */
export const cooldownReads = {
  activeCooldowns,
  dueCooldowns,
  nextCooldownTime,
  pendingCooldowns,
  openCooldownsOfFile,
  dueCooldownSignals,
};

/** Listed in `workers/operations/writes.ts`; each runs inside one transaction. */
export const cooldownWrites = {
  storeCooldown,
  settleCooldown,
  endCooldown,
  postponeCooldown,
  dropCooldownSignal,
  postponeCooldownSignal,
};

export type CooldownReads = Pick<OperationClient<typeof cooldownReads>, 'run'>;
export type CooldownWrites = Pick<OperationClient<typeof cooldownWrites>, 'run'>;
