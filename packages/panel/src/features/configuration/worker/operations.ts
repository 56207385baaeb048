import { editText } from '../model/edit-text.ts';
import { readFragment } from '../model/fragment.ts';
import { mergeDraft } from '../model/merge.ts';
import { differenceOf, reviewChange } from '../model/review.ts';
import { sameConfiguration } from '../model/same-configuration.ts';
import { summarize } from '../model/summary.ts';

/** What runs in the worker: everything that reads YAML or compares long texts. */
export const OPERATIONS = {
  differenceOf,
  editText,
  mergeDraft,
  readFragment,
  reviewChange,
  sameConfiguration,
  summarize,
} as const;

export type Operations = typeof OPERATIONS;

export interface Question {
  readonly id: number;
  readonly name: keyof Operations;
  readonly args: readonly unknown[];
}

export type Answer = { readonly id: number } & ({ readonly result: unknown } | { readonly failure: string });
