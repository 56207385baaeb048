import { readOnce } from './cached-reader.ts';
import { clientKeysIn, type Effect, effectsOf } from './effects.ts';
import { fallbackOf, fieldOf, readField } from './fields.ts';
import { type Change, diffLines, splitLines } from './line-diff.ts';
import { type Misfit, misfitsOf } from './misfits.ts';
import { secretsOf } from './secrets.ts';
import { type ConfigObject, type ConfigValue, sameValue, valueAt } from './values.ts';
import type { TextProblem } from './yaml-text.ts';

/** What a change can do beyond the setting; each names its consequence on screen. */
export type Warning =
  | 'address'
  | 'tls'
  | 'allowRemote'
  | 'secretKey'
  | 'authDir'
  | 'controlPanel'
  | 'publishing'
  | 'retention'
  | 'noClientKeys'
  | 'wsAuth'
  | 'requestLog';
/** Why a text is not sent. */
export type Refusal = 'empty' | 'noSecretKey';

export interface DiffLine {
  /** Its place among the lines of the difference. */
  readonly id: number;
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

interface Hunk {
  /** First line, in the text before. */
  readonly line: number;
  readonly lines: readonly DiffLine[];
}

export interface Difference {
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly Hunk[];
  /** Lines that are not in `hunks`, because there are too many. */
  readonly hidden: number;
}

export interface Review {
  readonly difference: Difference;
  readonly problems: readonly TextProblem[];
  readonly refusals: readonly Refusal[];
  readonly warnings: readonly Warning[];
  /** New ones. */
  readonly misfits: readonly Misfit[];
  /** On parts that have pages of their own. */
  readonly effects: readonly Effect[];
  /** Texts of both sides to mask on screen, the longest first. */
  readonly secrets: readonly string[];
}

const CONTEXT_LINES = 3;
const MAX_LINES = 600;

export function differenceOf(before: string, after: string): Difference {
  const [left, right] = [splitLines(before), splitLines(after)];
  const changes = diffLines(left, right);
  let room = MAX_LINES;
  let total = 0;
  const take = (lines: readonly string[], kind: DiffLine['kind']): DiffLine[] => {
    total += lines.length;
    const taken = lines.slice(0, Math.max(room, 0));
    const first = MAX_LINES - room;
    room -= taken.length;
    return taken.map((line, index) => ({ id: first + index, kind, text: line.replace(/\r?\n$/, '') }));
  };
  const hunks = grouped(changes).map((group) => {
    const first = Math.max((group[0]?.from ?? 0) - CONTEXT_LINES, 0);
    const last = Math.min((group.at(-1)?.to ?? 0) + CONTEXT_LINES, left.length);
    const lines: DiffLine[] = [];
    let at = first;
    for (const { from, to, newFrom, newTo } of group) {
      lines.push(...take(left.slice(at, from), 'same'));
      lines.push(...take(left.slice(from, to), 'removed'));
      lines.push(...take(right.slice(newFrom, newTo), 'added'));
      at = to;
    }
    lines.push(...take(left.slice(at, last), 'same'));
    return { line: first + 1, lines };
  });
  const count = (of: (change: Change) => number) => changes.reduce((sum, change) => sum + of(change), 0);
  return {
    added: count(({ newFrom, newTo }) => newTo - newFrom),
    removed: count(({ from, to }) => to - from),
    hunks: hunks.filter(({ lines }) => lines.length > 0),
    hidden: Math.max(total - MAX_LINES, 0),
  };
}

/** Changes whose surroundings touch are shown together. */
function grouped(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const previous = group?.at(-1);
    if (group !== undefined && previous !== undefined && change.from - previous.to <= 2 * CONTEXT_LINES)
      group.push(change);
    else groups.push([change]);
  }
  return groups;
}

/** Everything to look at before `after` takes the place of `before`. `pollSeconds`: how often the manager reads, if known. */
export function reviewChange(before: string, after: string, pollSeconds: number | null): Review {
  const difference = differenceOf(before, after);
  const [old, next] = [readOnce(before), readOnce(after)];
  if (!next.ok)
    return { difference, problems: next.problems, refusals: [], warnings: [], misfits: [], effects: [], secrets: [] };
  const from = old.ok ? old.values : {};
  return {
    difference,
    problems: [],
    refusals: refusalsOf(from, next.values, old.ok),
    warnings: warningsOf(from, next.values, pollSeconds),
    misfits: misfitsOf(after, next).filter(({ id }) => {
      const path = fieldOf(id)?.path ?? [];
      return !sameValue(valueAt(from, path), valueAt(next.values, path));
    }),
    effects: effectsOf(from, next.values),
    secrets: [...new Set([...secretsOf(from), ...secretsOf(next.values)])].sort((a, b) => b.length - a.length),
  };
}

function refusalsOf(before: ConfigObject, after: ConfigObject, known: boolean): Refusal[] {
  if (Object.keys(after).length === 0) return ['empty'];
  // A gateway whose key comes from its environment has none in the file.
  const needed = !known || keyOf(before) !== '';
  return needed && keyOf(after) === '' ? ['noSecretKey'] : [];
}

function keyOf(values: ConfigObject): string {
  const key = valueAt(values, ['remote-management', 'secret-key']);
  return typeof key === 'string' ? key.trim() : '';
}

function warningsOf(before: ConfigObject, after: ConfigObject, pollSeconds: number | null): Warning[] {
  const effective = (values: ConfigObject, id: string): ConfigValue => {
    const field = fieldOf(id);
    if (field === undefined) return null;
    const read = readField(values, field);
    return read.state === 'set' ? read.value : fallbackOf(field);
  };
  const changed = (id: string) => {
    const [old, next] = [effective(before, id), effective(after, id)];
    return !sameValue(old === '' ? null : old, next === '' ? null : next);
  };
  const turned = (id: string, value: boolean) => changed(id) && effective(after, id) === value;
  const retention = 'redis-usage-queue-retention-seconds';
  const kept = Number(effective(after, retention));
  const found: readonly (readonly [Warning, boolean])[] = [
    ['address', changed('host') || changed('port')],
    [
      'tls',
      changed('tls.enable') || (effective(after, 'tls.enable') === true && (changed('tls.cert') || changed('tls.key'))),
    ],
    ['allowRemote', turned('remote-management.allow-remote', false)],
    ['secretKey', keyOf(before) !== keyOf(after)],
    ['authDir', changed('auth-dir')],
    ['controlPanel', turned('remote-management.disable-control-panel', true)],
    ['publishing', turned('usage-statistics-enabled', false)],
    [
      'retention',
      changed(retention) &&
        kept < Number(effective(before, retention)) &&
        (pollSeconds === null || kept <= pollSeconds),
    ],
    ['noClientKeys', clientKeysIn(before).size > 0 && clientKeysIn(after).size === 0],
    ['wsAuth', turned('ws-auth', false)],
    ['requestLog', turned('request-log', true)],
  ];
  return found.filter(([, holds]) => holds).map(([warning]) => warning);
}
