import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH } from './lib/paths.ts';
import { MEASURES } from './measures.ts';
import { barText, figureOf, formatValue, isMet, loadNote, type Report, type Taken } from './report.ts';

const README = join(BENCH, 'README.md');
const BEGIN = '<!-- figures: written by npm run bench -- --write -->';
const END = '<!-- end of figures -->';
const HEAD = '| Measure | Figure | Bar | |\n| --- | ---: | ---: | --- |\n';
/** The first row of a measure: its title and its name. */
const GROUP = /^(?=\| \*\*[^|]+\*\* `)/m;

/** Writes this build's figures into the table of bench/README.md; measures that were not run keep their rows. */
export function writeReadme(report: Report): void {
  const text = readFileSync(README, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)];
  if (begin < BEGIN.length || end < begin) throw new Error('bench/README.md has lost its markers');
  const [, ...earlier] = text.slice(begin, end).trim().split(GROUP);
  const groups = new Map(earlier.map((group) => [/\*\* `([^`]+)`/.exec(group)?.[1], `${group.trim()}\n`]));
  for (const taken of report.taken) groups.set(taken.measure.name, groupOf(report, taken));
  const rows = MEASURES.map(({ name }) => groups.get(name) ?? '').join('');
  writeFileSync(
    README,
    `${text.slice(0, begin)}\n\nLatest run: ${report.machine}.\n\n${HEAD}${rows}\n${text.slice(end)}`,
  );
}

function groupOf({ at, events }: Report, { measure, rounds: [own = []] }: Taken): string {
  const about = `${events.toLocaleString('en')} events, ${at.slice(0, 10)}; ${loadNote(own)}`;
  const rows = Object.entries(measure.figures).map(([name, spec]) => {
    const { value, note } = figureOf(own, name);
    const met = isMet(spec, value);
    const verdict = [met === null ? '' : met ? 'met' : '**missed**', note].filter((part) => part !== '');
    return `| ${[name, formatValue(value, spec.unit), barText(spec), verdict.join(': ')].join(' | ')} |\n`;
  });
  return `| **${measure.title}** \`${measure.name}\`: ${measure.how} | | | ${about} |\n${rows.join('')}`;
}
