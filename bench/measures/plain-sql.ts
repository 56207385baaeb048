import { Database } from 'bun:sqlite';
import { copyOf, plainDatabase } from '../dataset/database.ts';
import { type FigureTable, median, quantile } from '../lib/figures.ts';
import { askOnce, type PanelQuestion, warmUp } from '../panel/asking.ts';
import { refreshAt, todayStartMs } from '../panel/moment.ts';
import { milliseconds, type Sample } from '../panel/samples.ts';
import { prepareQuestions, withManager } from '../panel/site.ts';
import { benchSubjects } from '../panel/subjects.ts';
import type { Measure } from './measure.ts';
import { type PlainQuestion, plainQuestions } from './plain-questions.ts';

const ROUNDS = 5;
const CACHE_KIB = 256 * 1024;
const OFFSET_MS = -4 * 3_600_000;

/** The same questions in SQL over one plain table of the same events: what the columns are worth. */
export const measurePlainSql: Measure = async ({ base, fresh, progress }) => {
  const plain = await plainDatabase(base, fresh);
  const copy = copyOf(base);
  try {
    const asked = await prepareQuestions(copy);
    const moment = refreshAt(0);
    const filterValue = (kind: string) => {
      const filters = asked.find((question) => question.kind.name === kind)?.kind.restriction(1).filters;
      return quoted(filters?.models?.[0] ?? filters?.accounts?.[0] ?? '');
    };
    const questions = plainQuestions({
      fromMs: moment.fromMs,
      toMs: moment.nowMs,
      todayMs: todayStartMs(moment.nowMs),
      offsetMs: OFFSET_MS,
      account: filterValue('account'),
      model: filterValue('model'),
      files: benchSubjects().credentialIds.slice(0, 200).map(quoted),
    });
    progress('the product');
    const ours = await productTimes(copy, asked, questions);
    progress('plain SQL');
    const sql = plainTimes(plain.path, questions);
    const ratios = questions.map((_, index) => (sql[index] ?? 0) / (ours[index] ?? 1));
    const answered = ratios.filter((ratio) => !Number.isNaN(ratio));
    return {
      figures: [
        { name: 'plain SQL takes as long as the product, median question', value: median(answered), unit: '×' },
        { name: 'the same, least favourable question', value: quantile(answered, 0), unit: '×' },
      ],
      tables: [ratioTable(questions, ours, sql, ratios)],
    };
  } finally {
    copy.remove();
  }
};

/** New questions over decoded columns, median of some rounds; NaN where this build does not answer. */
async function productTimes(
  copy: Parameters<typeof withManager>[0],
  asked: readonly PanelQuestion[],
  questions: readonly PlainQuestion[],
): Promise<number[]> {
  return withManager(copy, {}, async (manager) => {
    await warmUp(manager, asked);
    const times: number[] = [];
    for (const { view, filter } of questions) {
      const question = asked.find((candidate) => candidate.view.name === view && candidate.kind.name === filter);
      if (question === undefined) throw new Error(`the panel has no view ${view} with the filter ${filter}`);
      const samples: Sample[] = [];
      for (let round = 1; round <= ROUNDS; round++) {
        samples.push(await askOnce(manager, question, round, refreshAt(0)));
      }
      const isAnswered = samples.every(({ missing }) => missing.length === 0);
      times.push(isAnswered ? median(samples.map(({ ms }) => ms)) : Number.NaN);
    }
    return times;
  });
}

/** One after the other on one connection, each once: the file is in memory, answers are read but not written as JSON. */
function plainTimes(path: string, questions: readonly PlainQuestion[]): number[] {
  const db = new Database(path, { readonly: true });
  db.run(`PRAGMA cache_size = -${CACHE_KIB}`);
  db.run('PRAGMA mmap_size = 8589934592');
  const times = questions.map(({ statements }) => {
    const startedMs = performance.now();
    for (const statement of statements) db.query(statement).values();
    return performance.now() - startedMs;
  });
  db.close();
  return times;
}

function ratioTable(
  questions: readonly PlainQuestion[],
  ours: readonly number[],
  sql: readonly number[],
  ratios: readonly number[],
): FigureTable {
  return {
    title: 'new questions',
    header: ['view', 'filter', 'plain SQL, ms', 'the product, ms', 'ratio'],
    rows: questions.map(({ view, filter }, index) => [
      view,
      filter,
      milliseconds(sql[index] ?? 0),
      ...(Number.isNaN(ours[index])
        ? ['not answered', '']
        : [milliseconds(ours[index] ?? 0), `${milliseconds(ratios[index] ?? 0)} ×`]),
    ]),
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
