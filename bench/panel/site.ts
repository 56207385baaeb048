import type { ManagerProcess } from '../../test/support/manager-process.ts';
import type { WorkingCopy } from '../dataset/database.ts';
import { type StartOptions, startManager } from '../lib/manager.ts';
import { type PanelQuestion, questionsOf } from './asking.ts';
import { filterKinds } from './filters.ts';
import { refreshAt } from './moment.ts';
import { savePrices } from './prices.ts';
import { benchSubjects } from './subjects.ts';
import { panelViews } from './views.ts';

/** Puts the prices into a copy and finds out what there is to ask; the process that did it is gone afterwards. */
export async function prepareQuestions(copy: WorkingCopy): Promise<readonly PanelQuestion[]> {
  return withManager(copy, {}, async (manager) => {
    if (!(await savePrices(manager))) console.error('  this build has no prices: costs are 0');
    return questionsOf(panelViews(benchSubjects()), await filterKinds(manager, refreshAt(0)));
  });
}

export async function withManager<T>(
  copy: WorkingCopy,
  options: StartOptions,
  work: (manager: ManagerProcess) => Promise<T>,
): Promise<T> {
  const manager = await startManager(copy, options);
  try {
    return await work(manager);
  } finally {
    await manager.stop();
  }
}
