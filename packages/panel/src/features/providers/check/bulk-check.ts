import { isSuccess } from '@manager/core/accounts/api-call';
import { limitParallel } from '../../../platform/accounts/limit-parallel.ts';
import type { ProviderRow } from '../model/rows.ts';
import type { Answered } from '../probe/ask-provider.ts';
import { type ApiCall, testCall } from '../probe/probe.ts';
import { testWord } from '../probe/test-word.ts';

/** Calls at once. */
const PARALLEL = 3;

/** Answers of the keys of one entry, in their order; undefined = not yet. */
export type Checked = readonly (Answered | undefined)[];

export const isChecked = (checked: Checked | undefined): checked is readonly Answered[] =>
  checked?.every((answer) => answer !== undefined) === true;

/** @returns what went wrong, null = it is disabled */
export type Disable = (row: ProviderRow) => Promise<string | null>;

/** No key of it works. A test that the gateway could not run says nothing of the provider. */
export const hasFailed = (checked: Checked | undefined): boolean =>
  isChecked(checked) &&
  checked.every((answer) => !isSuccess(answer.status) && testWord(answer) !== 'providers.testGateway');

/** One request for each key of each entry; `onAnswers` at each answer. */
export async function checkAll(
  rows: readonly ProviderRow[],
  modelOf: (row: ProviderRow) => string,
  ask: (call: ApiCall) => Promise<Answered>,
  onAnswers: (id: string, checked: Checked) => void,
): Promise<void> {
  const limited = limitParallel(PARALLEL);
  await Promise.all(
    rows.map(async (row) => {
      const answers: (Answered | undefined)[] = row.keys.map(() => undefined);
      await Promise.all(
        row.keys.map((key, at) =>
          limited(async () => {
            answers[at] = await ask(testCall(row.kind, row.entry, key, modelOf(row)));
            onAnswers(row.id, [...answers]);
          }),
        ),
      );
    }),
  );
}
