import { expect, test } from 'bun:test';
import type { AnswerCounts } from '../../gateway/auth-file-list.ts';
import { createStarvation, type TakenEvents } from './starvation.ts';
import { randomOf } from './testing/random.ts';

const READING_MS = 60_000;
const DOUBTFUL_READING_MS = 15_000;
/** Two requests a second. */
const BETWEEN_MS = 500;
/** A busy machine: so late is the last event that a reading counts. */
const LATE_MS = 5_000;
const FAILURE_RATE = 0.03;

const ACCOUNTS = ['codex', 'claude', 'codex', 'antigravity', 'claude', 'xai', 'antigravity'].map((provider, index) => ({
  authIndex: `${provider}-${index}`,
  provider,
  /** Share of its successes that have no event when some are silent. */
  silentShare: provider === 'antigravity' ? 0 : 0.3,
}));

interface Answer {
  readonly atMs: number;
  readonly authIndex: string;
  readonly isFailed: boolean;
  readonly arrives: boolean;
}

interface Traffic {
  readonly minutes: number;
  readonly isSilent: boolean;
  /** Share that somebody else takes, and from when. */
  readonly taken?: { readonly share: number; readonly fromMs: number };
}

/** The gaps and the first alarm of a manager that reads the counters of a gateway, and gets events late. */
function watch(seed: number, { minutes, isSilent, taken }: Traffic) {
  const random = randomOf(seed);
  const answers: Answer[] = [];
  for (let atMs = 0; atMs < minutes * 60_000; atMs += (0.5 + random()) * BETWEEN_MS) {
    const account = ACCOUNTS[Math.floor(random() * ACCOUNTS.length)];
    if (account === undefined) continue;
    const isFailed = random() < FAILURE_RATE;
    const exists = isFailed || !isSilent || random() >= account.silentShare;
    const isTaken = taken !== undefined && atMs >= taken.fromMs && random() < taken.share;
    answers.push({ atMs, authIndex: account.authIndex, isFailed, arrives: exists && !isTaken });
  }

  const starvation = createStarvation(null);
  const counted = new Map(ACCOUNTS.map(({ authIndex }) => [authIndex, { success: 0, failed: 0 }]));
  const gaps: TakenEvents[] = [];
  let alarmAtMs: number | null = null;
  let listed = 0;
  let arrived = 0;
  for (let atMs = 0; atMs < minutes * 60_000; ) {
    while ((answers[listed]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs) add(counted, answers[listed++]);
    const received = new Map<string, AnswerCounts>();
    const late = new Map<string, AnswerCounts>();
    const untilMs = atMs + random() * LATE_MS;
    for (; (answers[arrived]?.atMs ?? Number.POSITIVE_INFINITY) <= untilMs; arrived += 1) {
      const answer = answers[arrived];
      if (answer?.arrives !== true) continue;
      add(received, answer);
      if (answer.atMs > atMs) add(late, answer);
    }
    const files = ACCOUNTS.map(({ authIndex, provider }) => ({
      authIndex,
      answers: { ...(counted.get(authIndex) ?? { success: 0, failed: 0 }) },
      snapshot: { provider },
    }));
    const { over } = starvation.read(files, received, late, atMs);
    if (over !== null) gaps.push(over);
    if (starvation.state() !== null) alarmAtMs ??= atMs;
    atMs += (starvation.suspects() ? DOUBTFUL_READING_MS : READING_MS) * (1 + 0.3 * random());
  }
  return { gaps, alarmAtMs };
}

function add(counts: Map<string, AnswerCounts>, answer: Answer | undefined): void {
  if (answer === undefined) return;
  const { success, failed } = counts.get(answer.authIndex) ?? { success: 0, failed: 0 };
  counts.set(answer.authIndex, {
    success: success + (answer.isFailed ? 0 : 1),
    failed: failed + (answer.isFailed ? 1 : 0),
  });
}

const SEEDS = Array.from({ length: 100 }, (_, index) => index + 1);

test('silent successes are no loss where a reading counts events that its list does not', () => {
  for (const seed of SEEDS) {
    expect({ seed, ...watch(seed, { minutes: 15, isSilent: true }) }).toEqual({ seed, gaps: [], alarmAtMs: null });
  }
});

test('a second consumer is seen there within two minutes', () => {
  const fromMs = 150_000;
  const delays = SEEDS.map((seed) => {
    const { alarmAtMs } = watch(seed, { minutes: 10, isSilent: false, taken: { share: 0.5, fromMs } });
    return (alarmAtMs ?? Number.POSITIVE_INFINITY) - fromMs;
  });
  expect(delays.filter((delayMs) => delayMs > 120_000)).toEqual([]);
});
