import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyOf } from '../dataset/database.ts';
import { recordAnswers } from '../history/answers.ts';
import { measureArchive } from '../history/archive.ts';
import { historyQuestions } from '../history/questions.ts';
import { measureRoundTrip } from '../history/round-trip.ts';
import { workFolder } from '../lib/paths.ts';
import { savePrices } from '../panel/prices.ts';
import { withManager } from '../panel/site.ts';
import type { Measure } from './measure.ts';

/**
 * What survives moving and shrinking: export and import into a fresh database; archiving and deleting the older half,
 * compacting, and reading the archive back. Ends with an error at the first number that is not what it was.
 */
export const measureHistory: Measure = async ({ base, progress }) => {
  const source = copyOf(base);
  const folder = workFolder();
  try {
    progress('answers');
    const answers = await withManager(source, {}, async (manager) => {
      await savePrices(manager);
      return recordAnswers(manager, await historyQuestions(manager), join(folder, 'answers'));
    });
    const about = { source, answers, events: base.events, folder, progress };
    const roundTrip = await measureRoundTrip(about);
    const archive = await measureArchive({ ...about, exportPath: roundTrip.exportPath });
    return { figures: [...roundTrip.figures, ...archive] };
  } finally {
    source.remove();
    rmSync(folder, { recursive: true, force: true });
  }
};
