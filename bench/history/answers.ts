import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ManagerProcess } from '../../test/support/manager-process.ts';
import type { Call } from '../panel/call.ts';
import { firstDifference, type Json } from './difference.ts';
import type { HistoryQuestion } from './questions.ts';

/** What a manager said. They are kept as files: together they are as large as the history. */
export interface RecordedAnswers {
  readonly questions: readonly HistoryQuestion[];
  answer(index: number): Json;
  /** To the question of what remains after the deletion; undefined where there is none. */
  remaining(index: number): Json | undefined;
}

/** How an answer is brought into the form that is compared; `index` is that of the question. */
export interface Comparison {
  readonly applies: (question: HistoryQuestion) => boolean;
  readonly found: (answer: Json) => Json;
  readonly expected: (recorded: RecordedAnswers, index: number) => Json;
}

const SHOWN_DIFFERENCES = 12;
const TOO_SLOW = 503;
const ATTEMPTS = 5;

export async function recordAnswers(
  manager: ManagerProcess,
  questions: readonly HistoryQuestion[],
  folder: string,
): Promise<RecordedAnswers> {
  mkdirSync(folder, { recursive: true });
  const path = (index: number, kind: string) => join(folder, `${kind}-${index}.json`);
  for (const [index, { call, remaining }] of questions.entries()) {
    writeFileSync(path(index, 'answer'), await askText(manager, call));
    if (remaining !== undefined) writeFileSync(path(index, 'remaining'), await askText(manager, remaining));
  }
  const read = (index: number, kind: string) => JSON.parse(readFileSync(path(index, kind), 'utf8')) as Json;
  return {
    questions,
    answer: (index) => read(index, 'answer'),
    remaining: (index) => (questions[index]?.remaining === undefined ? undefined : read(index, 'remaining')),
  };
}

/**
 * Asks everything again that the comparison applies to, and returns how much that was.
 *
 * @throws Error that names what differs, and where.
 */
export async function requireSameAnswers(
  when: string,
  manager: ManagerProcess,
  recorded: RecordedAnswers,
  { applies, found, expected }: Comparison,
): Promise<number> {
  const differences: string[] = [];
  const chosen = [...recorded.questions.entries()].filter(([, question]) => applies(question));
  for (const [index, { name, call }] of chosen) {
    const answer = JSON.parse(await askText(manager, call)) as Json;
    const difference = firstDifference(found(answer), expected(recorded, index));
    if (difference !== null) differences.push(`${name}: answer${difference}`);
  }
  if (differences.length === 0) return chosen.length;
  const shown = differences.slice(0, SHOWN_DIFFERENCES).join('\n  ');
  throw new Error(`${when}, ${differences.length} of ${chosen.length} answers differ:\n  ${shown}`);
}

/** On a busy machine a question may take longer than the manager allows; then it is asked again. */
async function askText(manager: ManagerProcess, { path, body }: Call): Promise<string> {
  const init =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  for (let attempt = 1; ; attempt++) {
    const answer = await manager.fetch(path, init);
    const text = await answer.text();
    if (answer.ok) return text;
    if (answer.status !== TOO_SLOW || attempt === ATTEMPTS)
      throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
    console.error('  a question took too long, asked again');
  }
}
