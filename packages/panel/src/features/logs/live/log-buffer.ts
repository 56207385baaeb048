import { isRecord } from '../../../platform/browser/storage.ts';
import { type LogHead, readHead, stampMs, startsEntry } from './log-line.ts';

/** Most lines in memory. */
export const MAX_LINES = 10_000;
/** Most characters in memory: single lines can be long. */
const MAX_CHARACTERS = 16_000_000;

/** A line with those that continue it. */
export interface LogEntry {
  /** Number of its first line. The order of lines; lower than 0 for those that were loaded later. */
  readonly id: number;
  readonly lines: readonly string[];
  /** null = the line it continues is not loaded. */
  readonly head: LogHead | null;
}

/** Why lines are missing before a divider: the log began again, or more were written than can be shown. */
export type Break = 'restarted' | 'skipped';

/** The end of the gateway's log, as far as it is loaded. */
export interface LogBuffer {
  readonly entries: readonly LogEntry[];
  readonly lineCount: number;
  readonly characters: number;
  /** Where the next lines are requested from; '' = the gateway has no cursors, or no lines. */
  readonly cursor: string;
  /** Time of the newest line, Unix seconds; 0 = none. */
  readonly latest: number;
  /** Clock of the gateway minus UTC, ms; null = unknown. */
  readonly offsetMs: number | null;
  /** Nothing older can be loaded: the log begins here, or memory is full. */
  readonly whole: boolean;
  readonly full: boolean;
  /** The divider and the entry it is drawn before. */
  readonly divider: { readonly before: number; readonly kind: Break } | null;
}

export interface LogPage {
  readonly lines: readonly string[];
  readonly lineCount: number;
  readonly latest: number;
  readonly cursor: string;
  readonly reset: boolean;
}

/** An answer, and the list of lines in it. */
export function readLogPage(answer: unknown, list: readonly unknown[]): LogPage {
  const body = isRecord(answer) ? answer : {};
  const lines = list.filter((line): line is string => typeof line === 'string');
  const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
  const cursor = body['next-cursor'];
  return {
    lines,
    lineCount: number(body['line-count']),
    latest: number(body['latest-timestamp']),
    cursor: typeof cursor === 'string' ? cursor : '',
    reset: body['cursor-reset'] === true,
  };
}

const charactersOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length, 0);

/** Lines as entries; the first may be the end of one. */
export function toEntries(lines: readonly string[], firstId: number): LogEntry[] {
  const entries: LogEntry[] = [];
  let start = 0;
  for (let index = 1; index <= lines.length; index++) {
    const line = lines[index];
    if (line !== undefined && !startsEntry(line)) continue;
    entries.push({ id: firstId + start, lines: lines.slice(start, index), head: readHead(lines[start] ?? '') });
    start = index;
  }
  return entries;
}

/** The last lines of the log. `asked` = how many were wanted. */
export function openBuffer(page: LogPage, asked: number, divider: Break | null = null): LogBuffer {
  const buffer: LogBuffer = {
    entries: toEntries(page.lines, 0),
    lineCount: page.lines.length,
    characters: charactersOf(page.lines),
    cursor: page.cursor,
    latest: page.latest,
    offsetMs: clockOffset(page),
    whole: page.lines.length < asked,
    full: false,
    divider: divider === null ? null : { before: 0, kind: divider },
  };
  return trimmed(buffer);
}

/** Lines after those of the buffer. */
export function append(buffer: LogBuffer, page: LogPage, lines = page.lines): LogBuffer {
  const next = {
    ...buffer,
    cursor: page.cursor === '' ? buffer.cursor : page.cursor,
    latest: Math.max(buffer.latest, page.latest),
    offsetMs: buffer.offsetMs ?? clockOffset(page),
  };
  if (lines.length === 0) return next;
  const lastEntry = buffer.entries.at(-1);
  const nextId = lastEntry === undefined ? 0 : lastEntry.id + lastEntry.lines.length;
  const fresh = toEntries(lines, nextId);
  const entries = [...buffer.entries];
  const [first] = fresh;
  if (lastEntry !== undefined && first !== undefined && first.head === null) {
    entries[entries.length - 1] = { ...lastEntry, lines: [...lastEntry.lines, ...first.lines] };
    fresh.shift();
  }
  for (const entry of fresh) entries.push(entry);
  return trimmed({
    ...next,
    entries,
    lineCount: buffer.lineCount + lines.length,
    characters: buffer.characters + charactersOf(lines),
  });
}

/** Drops the oldest lines beyond the limits. */
function trimmed(buffer: LogBuffer): LogBuffer {
  let { lineCount, characters } = buffer;
  if (lineCount <= MAX_LINES && characters <= MAX_CHARACTERS) return buffer;
  let from = 0;
  let first: LogEntry | undefined;
  for (; from < buffer.entries.length; from++) {
    first = buffer.entries[from];
    if (first === undefined || (lineCount <= MAX_LINES && characters <= MAX_CHARACTERS)) break;
    const tooMany = Math.max(lineCount - MAX_LINES, characters > MAX_CHARACTERS ? 1 : 0);
    if (first.lines.length > tooMany && characters <= MAX_CHARACTERS) {
      const dropped = first.lines.slice(0, tooMany);
      lineCount -= tooMany;
      characters -= charactersOf(dropped);
      first = { id: first.id + tooMany, lines: first.lines.slice(tooMany), head: null };
      break;
    }
    lineCount -= first.lines.length;
    characters -= charactersOf(first.lines);
    first = undefined;
  }
  const rest = buffer.entries.slice(first === undefined ? from : from + 1);
  const entries = first === undefined ? rest : [first, ...rest];
  const { divider } = buffer;
  const shown = divider !== null && (entries[0]?.id ?? 0) <= divider.before;
  return { ...buffer, entries, lineCount, characters, full: true, whole: false, divider: shown ? divider : null };
}

/**
 * A longer end of the log, in which the loaded lines keep their numbers. null = they are not in it, because the log began again.
 */
export function extend(buffer: LogBuffer, page: LogPage, asked: number): LogBuffer | null {
  const loaded = buffer.entries.flatMap(({ lines }) => lines);
  const start = findLines(page.lines, loaded);
  if (start === null) return null;
  const firstId = (buffer.entries[0]?.id ?? 0) - start;
  return trimmed({
    ...buffer,
    entries: toEntries(page.lines, firstId),
    lineCount: page.lines.length,
    characters: charactersOf(page.lines),
    cursor: page.cursor,
    latest: Math.max(buffer.latest, page.latest),
    whole: page.lines.length < asked,
  });
}

/** Where `part` begins in `lines`: as late as possible, because few lines are newer. */
function findLines(lines: readonly string[], part: readonly string[]): number | null {
  for (let start = lines.length - part.length; start >= 0; start--) {
    let same = 0;
    while (same < part.length && lines[start + same] === part[same]) same += 1;
    if (same === part.length) return start;
  }
  return null;
}

/**
 * Number of lines at the start of `lines` that the buffer ends in: a gateway without cursors repeats those of the newest second.
 */
export function overlap(buffer: LogBuffer, lines: readonly string[]): number {
  const tail: string[] = [];
  for (let index = buffer.entries.length - 1; index >= 0 && tail.length < lines.length; index--) {
    tail.unshift(...(buffer.entries[index]?.lines ?? []));
  }
  for (let length = Math.min(tail.length, lines.length); length > 0; length--) {
    const start = tail.length - length;
    let same = 0;
    while (same < length && tail[start + same] === lines[same]) same += 1;
    if (same === length) return length;
  }
  return 0;
}

const QUARTER_HOUR_MS = 900_000;
const LONGEST_OFFSET_MS = 14 * 3_600_000;

/** Stamps have no zone; the time of the newest line shows it. Zones differ by quarters of an hour. */
function clockOffset(page: LogPage): number | null {
  const last = page.lines.findLast(startsEntry);
  const stamp = last === undefined ? undefined : readHead(last)?.stamp;
  if (stamp === undefined || page.latest <= 0) return null;
  const offset = stampMs(stamp) - page.latest * 1000;
  const rounded = Math.round(offset / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;
  return Math.abs(offset - rounded) <= 2_000 && Math.abs(rounded) <= LONGEST_OFFSET_MS ? rounded : null;
}

/** Instant of a stamp, ms; null = the gateway's zone is unknown. */
export function instantOfStamp(stamp: string, offsetMs: number | null): number | null {
  const ms = stampMs(stamp);
  return offsetMs === null || Number.isNaN(ms) ? null : ms - offsetMs;
}
