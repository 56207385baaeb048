import type { BaseDatabase } from '../dataset/database.ts';
import type { MeasureResult } from '../lib/figures.ts';
import type { Plan } from '../options.ts';

export interface MeasureContext {
  readonly plan: Plan;
  readonly base: BaseDatabase;
  readonly fresh: boolean;
  /** Figures that were measured before, by measure and name; for ratios. */
  figure(measure: string, name: string): number | null;
  progress(text: string): void;
}

export type Measure = (context: MeasureContext) => Promise<MeasureResult>;
