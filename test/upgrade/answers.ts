import type { BudgetsResponse } from '@manager/core/contract/budgets';
import { BUDGETS_PATH } from '@manager/core/contract/constants';
import { NOTIFICATIONS_PATH } from '@manager/core/contract/notifications/kinds';
import { VIEWER_LINKS_PATH } from '@manager/core/contract/viewer-links/words';
import type { ManagerProcess } from '../support/manager-process.ts';

const RANGE = { from_ms: Date.UTC(2026, 7, 31), to_ms: Date.UTC(2026, 8, 8) };
const SECTIONS = {
  summary: true,
  timeline: true,
  granularity: 'day',
  model_stats: true,
  account_stats: true,
  api_key_stats: true,
  failure_sources: true,
};

export interface Answer {
  readonly question: string;
  readonly answer: unknown;
}

/** A version's answers about a database; none of them depends on the current time. */
export async function askEverything(manager: ManagerProcess): Promise<{ lines: string; answers: readonly Answer[] }> {
  const { events, deadLetters, implausibleTimestamps } = await manager.json('/status');
  const analytics = async (more: object) => {
    const answer = await manager.post('/v0/management/monitoring/analytics', { ...RANGE, include: SECTIONS, ...more });
    return { ...answer, generated_at_ms: 0 };
  };
  const { budgets } = await manager.json<BudgetsResponse>(BUDGETS_PATH);
  const answers = {
    status: { events, deadLetters, implausibleTimestamps },
    aliases: await manager.json('/v0/management/api-key-aliases'),
    prices: await manager.json('/v0/management/model-prices'),
    cooldowns: await manager.json('/usage-service/quota-cooldowns'),
    // What is used of them is about the current month.
    budgets: budgets.map(({ scope, name, usd, timeZone }) => ({ scope, name, usd, timeZone })),
    'viewer links': await manager.json(VIEWER_LINKS_PATH),
    notifications: await manager.json(NOTIFICATIONS_PATH),
    'sent notifications': await manager.json(`${NOTIFICATIONS_PATH}/log`),
    'everything by day': await analytics({}),
    'one executor': await analytics({ filters: { request_types: ['ClaudeExecutor'] } }),
    'days of another zone': await analytics({ time_zone: 'Asia/Kolkata', include: { summary: true, timeline: true } }),
  };
  return {
    lines: await (await manager.fetch('/v0/management/usage/export')).text(),
    answers: Object.entries(answers).map(([question, answer]) => ({ question, answer })),
  };
}
