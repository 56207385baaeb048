import { FactFlag } from '../columns.ts';
import type { SelectedRows } from '../rows.ts';
import type { Section } from '../section.ts';

/** Sums of the events of one task, which all have the same instant. */
export interface TaskSums {
  readonly timestampMs: number;
  readonly high: number;
  readonly low: number;
  /** Symbols. */
  readonly sourceHash: number;
  readonly authIndex: number;
  /** Newest event. */
  eventId: number;
  /** Symbol of the newest event that has one; 0 = none. */
  source: number;
  sourceEventId: number;
  calls: number;
  failures: number;
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  cacheReadTokens: number;
  cacheCreationTokens: number;
  totalTokens: number;
  latencySumMs: number;
  /** Latencies above 0. */
  latencySamples: number;
  /** Over known latencies, 0 included; −1 = none is known. */
  latencyMaxMs: number;
  readonly models: Set<number>;
  readonly endpoints: Set<number>;
}

export interface NewestTasks {
  readonly tasks: Map<string, TaskSums>;
  /** Older tasks are dropped. */
  fromMs: number;
  /** Number of tasks at which the oldest ones are dropped. */
  pruneAt: number;
}

const TASK_BYTES = 600;
const SYMBOLS = ['source_hash', 'auth_index', 'source', 'analytics_model', 'endpoint'] as const;
const NUMBERS = [
  'timestamp_ms',
  'task_key_high',
  'task_key_low',
  'flags',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'total_tokens',
  'latency_ms',
] as const;

/** The newest `size` tasks, and all that are as old as the oldest of them: their keys decide the order. */
export function newestTasksSection(size: number): Section<NewestTasks> {
  return {
    key: `newest tasks:${size}`,
    columns: [...NUMBERS, ...SYMBOLS],
    create: () => ({ tasks: new Map(), fromMs: Number.NEGATIVE_INFINITY, pruneAt: size * 2 }),
    add(state, rows) {
      if (rows.chunk.maxTimestampMs < state.fromMs) return;
      addRows(state, rows, size);
    },
    clone: ({ tasks, fromMs, pruneAt }) => ({
      tasks: new Map([...tasks].map(([key, task]) => [key, copyOf(task)])),
      fromMs,
      pruneAt,
    }),
    bytes: ({ tasks }) => tasks.size * TASK_BYTES,
    compact: (state) => prune(state, size),
  };
}

/** Newest first, at least `size` if there are as many. */
export function newestTasks(state: NewestTasks): TaskSums[] {
  return [...state.tasks.values()].sort((left, right) => right.timestampMs - left.timestampMs);
}

function copyOf(task: TaskSums): TaskSums {
  return { ...task, models: new Set(task.models), endpoints: new Set(task.endpoints) };
}

function addRows(state: NewestTasks, rows: SelectedRows, size: number): void {
  const times = rows.numbers('timestamp_ms');
  // The newest rows are mostly last; starting there leaves little to drop.
  for (let index = rows.count - 1; index >= 0; index--) {
    if ((times[index] ?? 0) < state.fromMs) continue;
    addRow(state, rows, index);
    if (state.tasks.size >= state.pruneAt) prune(state, size);
  }
}

function addRow({ tasks }: NewestTasks, rows: SelectedRows, index: number): void {
  const number = (column: (typeof NUMBERS)[number]) => rows.numbers(column)[index] ?? 0;
  const { codes, symbols } = rows.codes(SYMBOLS);
  const [sourceHash = 0, authIndex = 0, source = 0, model = 0, endpoint = 0] = symbols.map(
    (column) => column[codes[index] ?? 0] ?? 0,
  );
  const timestampMs = number('timestamp_ms');
  const high = number('task_key_high');
  const low = number('task_key_low');
  const key = `${timestampMs}:${high}:${low}:${sourceHash}:${authIndex}`;
  let task = tasks.get(key);
  if (task === undefined) {
    task = emptyTask({ timestampMs, high, low, sourceHash, authIndex });
    tasks.set(key, task);
  }
  const eventId = rows.eventIds()[index] ?? 0;
  // Latencies are stored plus 1, 0 is unknown.
  const latency = number('latency_ms') - 1;
  task.eventId = Math.max(task.eventId, eventId);
  if (source !== 0 && eventId > task.sourceEventId) {
    task.source = source;
    task.sourceEventId = eventId;
  }
  task.calls += 1;
  task.failures += number('flags') & FactFlag.failed;
  task.inputTokens += number('input_tokens');
  task.outputTokens += number('output_tokens');
  task.cachedTokens += number('cached_tokens');
  task.cacheReadTokens += number('cache_read_tokens');
  task.cacheCreationTokens += number('cache_creation_tokens');
  task.totalTokens += number('total_tokens');
  task.latencyMaxMs = Math.max(task.latencyMaxMs, latency);
  if (latency > 0) {
    task.latencySumMs += latency;
    task.latencySamples += 1;
  }
  task.models.add(model);
  task.endpoints.add(endpoint);
}

function emptyTask(identity: Pick<TaskSums, 'timestampMs' | 'high' | 'low' | 'sourceHash' | 'authIndex'>): TaskSums {
  return {
    ...identity,
    eventId: 0,
    source: 0,
    sourceEventId: 0,
    calls: 0,
    failures: 0,
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    cacheReadTokens: 0,
    cacheCreationTokens: 0,
    totalTokens: 0,
    latencySumMs: 0,
    latencySamples: 0,
    latencyMaxMs: -1,
    models: new Set(),
    endpoints: new Set(),
  };
}

function prune(state: NewestTasks, size: number): void {
  const oldest = newestTasks(state)[size - 1];
  if (oldest === undefined) return;
  state.fromMs = oldest.timestampMs;
  for (const [key, { timestampMs }] of state.tasks) if (timestampMs < state.fromMs) state.tasks.delete(key);
  state.pruneAt = Math.max(size, state.tasks.size) * 2;
}
