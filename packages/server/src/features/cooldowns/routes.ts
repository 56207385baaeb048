import { shownEvidence } from '@manager/core/accounts/cooldown/evidence';
import { QUOTA_COOLDOWNS_PATH } from '@manager/core/contract/constants';
import type { QuotaCooldown, QuotaCooldownsResponse } from '@manager/core/contract/cooldowns';
import { Hono } from 'hono';
import type { Claim } from '../../gateway/claims/claim.ts';
import type { ClaimStore } from '../../gateway/claims/store.ts';
import type { FeatureRoutes, ManagerEnv } from '../../http/environment.ts';
import { jsonResponse } from '../../http/json.ts';
import { COOLDOWN, cooldownOf } from './claim.ts';

export function createQuotaCooldownRoutes({ reader }: Pick<ClaimStore, 'reader'>): FeatureRoutes {
  return new Hono<ManagerEnv>().get(QUOTA_COOLDOWNS_PATH, async () => {
    const claims = await reader.run('openClaims', COOLDOWN);
    const items = claims.filter(({ state }) => state !== 'disabling').map(toItem);
    return jsonResponse({
      items: items.toSorted((one, other) => one.recoverAtMs - other.recoverAtMs),
    } satisfies QuotaCooldownsResponse);
  });
}

function toItem(claim: Claim): QuotaCooldown {
  const row = cooldownOf(claim);
  const evidence = row.evidence === null ? null : shownEvidence(JSON.stringify(row.evidence), row.recoverAtMs);
  return {
    authFileName: row.file,
    authIndex: row.authIndex,
    ...(row.accountSnapshot === '' ? {} : { accountSnapshot: row.accountSnapshot }),
    provider: row.provider,
    owner: row.owner,
    ...(row.reasonCode === '' ? {} : { reasonCode: row.reasonCode }),
    ...(row.windowKind === '' ? {} : { windowKind: row.windowKind }),
    ...(evidence === null ? {} : { evidence }),
    recoverAtMs: row.recoverAtMs,
    disabledAtMs: row.disabledAtMs,
    createdAtMs: claim.createdAtMs,
  };
}
