import type { GatewayAccounts } from '../../gateway/accounts/gateway-accounts.ts';
import type { Pause, WakingLoop } from '../../gateway/accounts/waking-loop.ts';
import { createClaimWorker } from '../../gateway/claims/claim-worker.ts';
import type { ClaimClock } from '../../gateway/claims/clock.ts';
import { applyRequest } from './apply-request.ts';
import { COOLDOWN } from './claim.ts';
import type { CooldownDeps } from './deps.ts';
import { endCooldown } from './end-cooldown.ts';

export interface CooldownWorkerDeps {
  readonly gatewayAccounts: GatewayAccounts;
  readonly clock: ClaimClock;
  /** Whether a gateway is configured. */
  readonly configured: () => boolean;
  readonly now: () => number;
  readonly log: { info(message: string): void; warn(message: string): void };
  readonly wait?: Pause;
}

/** Disables accounts whose quota is used up, and enables them when it resets. Wake it for new requests. */
export function createCooldownWorker(deps: CooldownWorkerDeps): WakingLoop {
  const { gatewayAccounts, clock } = deps;
  const { claims, client } = gatewayAccounts;
  const changes = claims.register({ kind: COOLDOWN, retries: true });
  const cooldown: CooldownDeps = { gatewayAccounts, changes, now: () => deps.now() - clock.aheadMs() };
  return createClaimWorker({
    ...deps,
    name: 'quota cooldown',
    owner: COOLDOWN,
    store: claims.store,
    client,
    apply: (claim, stopping) => applyRequest(cooldown, claim, stopping),
    end: (claim, stopping) => endCooldown(cooldown, claim, stopping),
  });
}
