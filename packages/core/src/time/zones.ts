/**
 * Offsets of IANA time zones, fast enough for a loop over millions of events. The zone data comes from the runtime
 * through `Intl.DateTimeFormat`, which every browser has; `Temporal` is not needed.
 */

export interface ZoneStretch {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  /** Local time minus UTC, in ms. */
  readonly offsetMs: number;
}

export interface Zone {
  /** The name it was created with; `UTC` for the empty name. */
  readonly name: string;
  /** Offset from UTC in ms at an instant: local time = instant + offset. */
  offsetAt(ms: number): number;
  /**
   * A stretch `[fromMs, toMs)` around the instant with one offset. It ends at offset changes or, when none is near, at
   * bounds of the look-ahead: the next stretch may have the same offset.
   */
  stretchAt(ms: number): ZoneStretch;
}

const DAY_MS = 86_400_000;
/** The range of a date, in ms; the end is exclusive. */
const FIRST_MS = -8.64e15;
const END_MS = 8.64e15 + 1;
/** All zones used local mean time before: the oldest recorded change is in 1844. */
const STANDARD_TIME_MS = Date.UTC(1800, 0, 1);
/** Offset changes are searched one span at a time: about 398 days. */
const SPAN_MS = 2 ** 35;
/**
 * Distance of the samples within a span: about 3 days. The shortest change that was reverted lasted just under 7 days
 * (Brazil, October 2000), so no pair of changes fits between two samples.
 */
const SAMPLE_MS = 2 ** 28;
/** Offsets are whole seconds, and so are the instants at which they change. */
const SECOND_MS = 1_000;
/** Events may have any instant; this bounds the cache of a zone (a few kilobytes per hundred years of use). */
const MAX_SPANS = 4_096;

type ReadOffset = (ms: number) => number;

/**
 * @param name IANA name or a backward alias such as `Asia/Calcutta`; '' = UTC.
 * @throws RangeError for a name that is unknown to the runtime, and for fixed offsets such as `+08:00`.
 * @example createZone('Asia/Shanghai').offsetAt(0) // 28 800 000
 */
export function createZone(name: string): Zone {
  if (name === '') return fixedZone('UTC', 0);
  if (/^[+\-\u2212]/.test(name)) throw new RangeError(`not a zone name: ${name}`);
  return changingZone(name, offsetReader(name));
}

/** Whether `createZone` takes the name. */
export function isZoneName(name: string): boolean {
  try {
    createZone(name);
    return true;
  } catch {
    return false;
  }
}

function fixedZone(name: string, offsetMs: number): Zone {
  const stretch: ZoneStretch = { fromMs: -Infinity, toMs: Infinity, offsetMs };
  return { name, offsetAt: () => offsetMs, stretchAt: () => stretch };
}

function changingZone(name: string, readOffset: ReadOffset): Zone {
  const spans = new Map<number, readonly ZoneStretch[]>();
  let current: ZoneStretch = { fromMs: 0, toMs: 0, offsetMs: 0 };

  function stretchAt(ms: number): ZoneStretch {
    // Events are nearly in order of time, so most look-ups hit the previous stretch.
    if (ms >= current.fromMs && ms < current.toMs) return current;
    current = lookUp(ms);
    return current;
  }

  function lookUp(ms: number): ZoneStretch {
    if (ms < FIRST_MS) return { fromMs: -Infinity, toMs: FIRST_MS, offsetMs: readOffset(FIRST_MS) };
    if (ms >= END_MS) return { fromMs: END_MS, toMs: Infinity, offsetMs: readOffset(END_MS - 1) };
    const index = Math.floor(ms / SPAN_MS);
    let stretches = spans.get(index);
    if (stretches === undefined) {
      if (spans.size >= MAX_SPANS) spans.clear();
      stretches = readSpan(readOffset, index * SPAN_MS);
      spans.set(index, stretches);
    }
    return findStretch(stretches, ms);
  }

  return { name, stretchAt, offsetAt: (ms) => stretchAt(ms).offsetMs };
}

function findStretch(stretches: readonly ZoneStretch[], ms: number): ZoneStretch {
  let low = 0;
  let high = stretches.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const candidate = stretches[middle];
    if (candidate !== undefined && candidate.fromMs <= ms) low = middle;
    else high = middle - 1;
  }
  const found = stretches[low];
  if (found === undefined) throw new RangeError('not an instant');
  return found;
}

/** The stretches of one span, in order and without gaps. */
function readSpan(readOffset: ReadOffset, start: number): readonly ZoneStretch[] {
  const spanFrom = Math.max(start, FIRST_MS);
  const spanTo = Math.min(start + SPAN_MS, END_MS);
  const stretches: ZoneStretch[] = [];
  let fromMs = spanFrom;
  let offsetMs = readOffset(spanFrom);
  for (let sampled = spanFrom; sampled < spanTo - 1; ) {
    const next = Math.min(sampled + SAMPLE_MS, spanTo - 1);
    const nextOffset = readOffset(next);
    // Several changes may lie between two samples, if each leads to another offset.
    while (offsetMs !== nextOffset) {
      const changeMs = firstChange(readOffset, sampled, next, offsetMs);
      stretches.push({ fromMs, toMs: changeMs, offsetMs });
      fromMs = changeMs;
      offsetMs = readOffset(changeMs);
      sampled = changeMs;
    }
    sampled = next;
  }
  stretches.push({ fromMs, toMs: spanTo, offsetMs });
  return stretches;
}

/** First instant in `(low, high]` at which the offset is not `offsetMs`; at `low` it is. */
function firstChange(readOffset: ReadOffset, low: number, high: number, offsetMs: number): number {
  let before = Math.floor(low / SECOND_MS);
  let after = Math.ceil(high / SECOND_MS);
  while (after - before > 1) {
    const middle = before + Math.floor((after - before) / 2);
    if (readOffset(middle * SECOND_MS) === offsetMs) before = middle;
    else after = middle;
  }
  return after * SECOND_MS;
}

/** @throws RangeError for an unknown name. */
function offsetReader(name: string): ReadOffset {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });

  return (ms) => {
    const instant = Math.max(ms, STANDARD_TIME_MS);
    let day = 0;
    let seconds = 0;
    for (const part of format.formatToParts(instant)) {
      if (part.type === 'day') day = Number(part.value);
      else if (part.type === 'hour') seconds += Number(part.value) * 3_600;
      else if (part.type === 'minute') seconds += Number(part.value) * 60;
      else if (part.type === 'second') seconds += Number(part.value);
    }
    const midnight = Math.floor(instant / DAY_MS) * DAY_MS;
    const utcSeconds = Math.floor((instant - midnight) / SECOND_MS);
    return (seconds - utcSeconds) * SECOND_MS + localDayMs(midnight, day) - midnight;
  };
}

/** The UTC midnight whose day of the month is the local one: the same day, the one before or the one after. */
function localDayMs(midnight: number, day: number): number {
  for (const candidate of [midnight, midnight + DAY_MS]) {
    if (new Date(candidate).getUTCDate() === day) return candidate;
  }
  return midnight - DAY_MS;
}
