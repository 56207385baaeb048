import { ANALYTICS_PATH, analyticsResponseSchema } from '@manager/core/contract/monitoring/analytics';
import type { ManagerProcess } from '../../test/support/manager-process.ts';
import type { Call } from './call.ts';
import { refreshAt } from './moment.ts';
import type { View } from './views.ts';

/** Names of requested sections that stand under another name, or change another section. */
const RENAMED: Readonly<Record<string, string>> = { filter_selectors: 'filter_options', events_page: 'events' };

/** What an unfiltered answer lacks although the view asked for it: a build that is not finished would look fast. */
export async function missingSections(manager: ManagerProcess, views: readonly View[]): Promise<readonly string[]> {
  const missing = new Set<string>();
  const sections = new Set(Object.keys(analyticsResponseSchema.shape));
  for (const view of views) {
    for (const call of view.steps(refreshAt(0), {}, 0).flat()) {
      if (call.path !== ANALYTICS_PATH) continue;
      const answer = await manager.post(call.path, call.body);
      for (const name of requested(call)) {
        // Few histories have anomalies.
        if (sections.has(name) && !(name in answer) && name !== 'anomaly_points') missing.add(name);
      }
    }
  }
  return [...missing];
}

function requested({ body }: Call): string[] {
  const include = (body as { readonly include?: Readonly<Record<string, unknown>> }).include ?? {};
  return Object.keys(include).map((name) => RENAMED[name] ?? name);
}
