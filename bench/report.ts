import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Calibration } from './lib/calibration.ts';
import { OUT } from './lib/paths.ts';
import { median } from './lib/statistics.ts';
import type { FigureSpec, Measure, NotedValue, Outcome } from './measure.ts';

/** One run of a measure, with the machine's load. */
export interface Round extends Outcome {
  readonly seconds: number;
  /** Processor time of other programs meanwhile, which this run lacked. */
  readonly coresOfOthers: number;
  readonly loadBefore: number;
  readonly calibration: Calibration;
}

export interface Taken {
  readonly measure: Measure;
  /** Of each build: of this clone, then of the baseline. */
  readonly rounds: readonly (readonly Round[])[];
}

export interface Report {
  readonly at: string;
  readonly events: number;
  readonly machine: string;
  readonly taken: readonly Taken[];
}

/** Differences above this count as worse. */
const TOLERANCE = 0.05;

/** bench/out/report.json: every figure of every round. */
export function writeReport({ taken, ...about }: Report): void {
  const measures = taken.map(({ measure: { name }, rounds: [own, baseline] }) => ({ name, this: own, baseline }));
  writeFileSync(join(OUT, 'report.json'), `${JSON.stringify({ ...about, measures }, null, 2)}\n`);
}

/** The median of the rounds, with its note. */
export function figureOf(rounds: readonly Round[], name: string): NotedValue {
  const values = rounds.map(({ figures }) => figures[name] ?? 0);
  const noted = values.map((value) => (typeof value === 'number' ? { value, note: '' } : value));
  const middle = median(noted.map(({ value }) => value));
  return noted.find(({ value }) => value === middle) ?? { value: middle, note: '' };
}

export interface Comparison {
  /** This build relative to the baseline: the ratio of the medians, and the extreme ratios of single rounds. */
  readonly ratio: number;
  readonly least: number;
  readonly most: number;
  /** By more than the tolerance. */
  readonly worse: boolean;
}

export function compare(spec: FigureSpec, own: readonly Round[], baseline: readonly Round[], name: string): Comparison {
  const ratioOf = (a: readonly Round[], b: readonly Round[]) => {
    const [left, right] = [figureOf(a, name).value, figureOf(b, name).value];
    return left === right ? 1 : left / right;
  };
  const ratio = ratioOf(own, baseline);
  const pairs = own.map((round, index) => ratioOf([round], baseline.slice(index, index + 1)));
  const worse = isHigherBetter(spec) ? ratio < 1 - TOLERANCE : ratio > 1 + TOLERANCE;
  return { ratio, least: Math.min(...pairs), most: Math.max(...pairs), worse };
}

function isHigherBetter({ unit, bar }: FigureSpec): boolean {
  return bar === undefined ? unit.endsWith('/s') : 'atLeast' in bar;
}

export function isMet({ bar }: FigureSpec, value: number): boolean | null {
  if (bar === undefined) return null;
  return 'atLeast' in bar ? value >= bar.atLeast : value <= bar.atMost;
}

export function barText({ bar, unit }: FigureSpec): string {
  if (bar === undefined) return '';
  return 'atLeast' in bar ? `≥ ${formatValue(bar.atLeast, unit)}` : `≤ ${formatValue(bar.atMost, unit)}`;
}

export function formatValue(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  const number = value.toLocaleString('en', { maximumFractionDigits: digits });
  return unit === '' ? number : `${number} ${unit}`;
}

/** The machine's load in some rounds: of the first round, other programs on average. */
export function loadNote(rounds: readonly Round[]): string {
  const [first] = rounds;
  if (first === undefined) return '';
  const { parseEventUs, insertRowUs, syncMs } = first.calibration;
  const others = rounds.reduce((sum, { coresOfOthers }) => sum + coresOfOthers, 0) / rounds.length;
  const speed = [formatValue(parseEventUs, 'µs'), formatValue(insertRowUs, 'µs'), formatValue(syncMs, 'ms')];
  return (
    `load ${first.loadBefore}, parse ${speed[0]}, insert ${speed[1]}, sync ${speed[2]}; ` +
    `others used ${formatValue(others, '')} cores`
  );
}
