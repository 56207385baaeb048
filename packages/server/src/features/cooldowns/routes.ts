import { shownEvidence } from '@manager/core/accounts/cooldown/evidence';
import type { CooldownRow } from '@manager/core/accounts/cooldown/row';
import {
  QUOTA_COOLDOWNS_PATH,
  type QuotaCooldown,
  type QuotaCooldownsResponse,
} from '@manager/core/contract/cooldowns';
import { Hono } from 'hono';
import type { FeatureRoutes, ManagerEnv } from '../../http/environment.ts';
import { jsonResponse } from '../../http/json.ts';
import type { CooldownReads } from './store.ts';

export function createQuotaCooldownRoutes(reader: CooldownReads): FeatureRoutes {
  return new Hono<ManagerEnv>().get(QUOTA_COOLDOWNS_PATH, async () => {
    const rows = await reader.run('activeCooldowns', null);
    return jsonResponse({ items: rows.map(toItem) } satisfies QuotaCooldownsResponse);
  });
}

function toItem(row: CooldownRow): QuotaCooldown {
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
    createdAtMs: row.createdAtMs,
  };
}
