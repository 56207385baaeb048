import type { ExecutableAction, InspectionResult } from '@manager/core/contract/inspection/runs';
import { ACTION_ORDER } from '../../ui/inspection/words.ts';
import { type Batch, filesOf } from './batch.ts';
import { isActionable } from './results/result-view.ts';

/** A result whose own suggestion can be carried out: a sign-in needs a person. */
type Suggestion = InspectionResult & { readonly action: ExecutableAction };

const isSuggestion = (result: InspectionResult): result is Suggestion =>
  isActionable(result) && result.action !== 'reauth' && result.action !== 'keep';

/** Every suggestion of a run that can be carried out, the most urgent first. */
export function openSuggestions(all: readonly InspectionResult[]): readonly Suggestion[] {
  const place = ({ action }: InspectionResult) => ACTION_ORDER.indexOf(action);
  return all.filter(isSuggestion).toSorted((a, b) => place(a) - place(b));
}

/** The ticked suggestions as one batch, in which each account gets what its own result suggests. */
export function suggestionBatch(all: readonly InspectionResult[], ticked: ReadonlySet<number>): Batch {
  const results = openSuggestions(all).filter(({ id }) => ticked.has(id));
  return { command: null, results, files: filesOf(all, results), overrides: 0 };
}
