import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ManagerProcess } from '../support/manager-process.ts';
import { type Call, sendCall } from '../support/panel-calls/call.ts';
import { firstDifference, type Json } from './difference.ts';
import type { HistoryQuestion } from './questions.ts';

/** A manager's answers. Kept in files: together they are as large as the history. */
export interface RecordedAnswers {
  readonly questions: readonly HistoryQuestion[];
  answer(index: number): Json;
  /** To the question about the rows that remain after the deletion; undefined without one. */
  remaining(index: number): Json | undefined;
}

/** Normalizes an answer for the comparison; `index` is that of the question. */
export interface Comparison {
  readonly applies: (question: HistoryQuestion) => boolean;
  readonly found: (answer: Json) => Json;
  readonly expected: (recorded: RecordedAnswers, index: number) => Json;
}

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

/** Repeats every question that the comparison covers; returns the differences with their places. */
export async function differentAnswers(
  manager: ManagerProcess,
  recorded: RecordedAnswers,
  { applies, found, expected }: Comparison,
): Promise<readonly string[]> {
  const differences: string[] = [];
  for (const [index, question] of recorded.questions.entries()) {
    if (!applies(question)) continue;
    const answer = JSON.parse(await askText(manager, question.call)) as Json;
    const difference = firstDifference(found(answer), expected(recorded, index));
    if (difference !== null) differences.push(`${question.name}: answer${difference}`);
  }
  return differences;
}

/** On a busy machine a question may exceed the manager's time limit; it is repeated then. */
async function askText(manager: ManagerProcess, call: Call): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const answer = await sendCall(manager, call);
    const text = await answer.text();
    if (answer.ok) return text;
    if (answer.status !== TOO_SLOW || attempt === ATTEMPTS)
      throw new Error(`${call.path}: ${answer.status} ${text.slice(0, 200)}`);
  }
}
