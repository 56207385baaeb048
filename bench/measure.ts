import type { BaseDatabase } from './dataset/database.ts';
import type { Build } from './lib/builds.ts';
import type { Plan } from './options.ts';

export type Bar = { readonly atLeast: number } | { readonly atMost: number };

export interface FigureSpec {
  /** '' = a plain number or a ratio. */
  readonly unit: string;
  readonly bar?: Bar;
}

export interface NotedValue {
  readonly value: number;
  readonly note: string;
}

export type Measured = number | NotedValue;

export interface Outcome<Name extends string = string> {
  readonly figures: Readonly<Record<Name, Measured>>;
  /** Further data for report.json. */
  readonly details?: unknown;
}

/** What a measure works on. */
export interface Site {
  readonly plan: Plan;
  readonly build: Build;
  /** The database of the run's size. */
  readonly base: BaseDatabase;
  /** A larger one of the same events. */
  copies(events: number): Promise<BaseDatabase>;
  progress(text: string): void;
}

/** One measurement. All figures are declared with their unit and bar; `run` returns their values. */
export interface Measure<Name extends string = string> {
  readonly name: string;
  readonly title: string;
  /** How it is measured, in a sentence or two. */
  readonly how: string;
  /** `full`: only in full runs, or when named; `named`: only when named. */
  readonly when?: 'full' | 'named';
  readonly figures: Readonly<Record<Name, FigureSpec>>;
  run(site: Site): Promise<Outcome<Name>>;
}

/** Checks that exactly the declared figures are returned. */
export function declareMeasure<Name extends string>(measure: Measure<Name>): Measure {
  return measure;
}

export const atLeast = (value: number): Bar => ({ atLeast: value });
export const atMost = (value: number): Bar => ({ atMost: value });
