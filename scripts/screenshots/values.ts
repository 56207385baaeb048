import { candidateListResponseSchema } from '@manager/core/contract/account-actions';
import { ACCOUNT_ACTIONS_PATH } from '@manager/core/contract/constants';
import { ANALYTICS_PATH, type AnalyticsResponse, type EventRow } from '@manager/core/contract/monitoring/analytics';
import type { Simulator } from '@manager/simulator';
import type { ManagerProcess } from '../../test/support/manager-process.ts';

const DAY_MS = 86_400_000;

/** Values for the page addresses, as far as this manager has them. */
export async function readValues(
  manager: ManagerProcess,
  gateway: Simulator,
  range: { readonly fromMs: number; readonly toMs: number },
): Promise<Record<string, string>> {
  const rowsOf = async (filters: object): Promise<EventRow | undefined> => {
    const answer = await manager.post<AnalyticsResponse>(ANALYTICS_PATH, {
      from_ms: range.fromMs,
      to_ms: range.toMs + DAY_MS,
      filters,
      include: { events_page: { limit: 1 } },
    });
    return answer.events?.items[0];
  };
  const [newest, failed] = await Promise.all([rowsOf({ include_failed: false }), rowsOf({ failed_only: true })]);
  const candidates = candidateListResponseSchema.parse(await manager.json(ACCOUNT_ACTIONS_PATH));
  const file = gateway.authFiles().find(({ type }) => type === 'codex');
  return present({
    range: `range=custom&from_ms=${range.fromMs}&to_ms=${range.toMs}`,
    event: newest?.event_hash,
    failedEvent: failed?.event_hash,
    model: newest?.analytics_model ?? newest?.model,
    clientKeyHash: newest?.api_key_hash,
    candidate: candidates.items[0]?.id,
    authFile: file?.name,
    authIndex: file?.auth_index,
  });
}

function present(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
    ),
  );
}
