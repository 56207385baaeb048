import type { TaskBucket } from '@manager/core/contract/monitoring/sections';
import { byBytes } from '../../../../facts/answers/sort.ts';
import { newestTasks, newestTasksSection, type TaskSums } from '../../../../facts/kernels/newest-tasks.ts';
import { readEvents } from '../../../../facts/stored-events.ts';
import type { SymbolTable } from '../../../../facts/symbols.ts';
import { taskKey, taskKeyHash } from '../../../../facts/task-key.ts';
import type { AnalyticsPlan } from '../plan.ts';

const MAX_TASKS = 500;

/** The newest tasks, then by key. */
export function planTaskBuckets(plan: AnalyticsPlan): () => TaskBucket[] {
  const { range, snapshot } = plan;
  const read = range.add(newestTasksSection(MAX_TASKS));
  return () => {
    const newest = newestTasks(read());
    const oldestMs = newest[MAX_TASKS - 1]?.timestampMs ?? Number.NEGATIVE_INFINITY;
    // Among those as old as the last one their keys decide.
    const tasks = newest.filter(({ timestampMs }) => timestampMs >= oldestMs);
    const keys = keysOf(tasks, plan);
    return tasks
      .map((task, index) => taskBucket(task, keys[index] ?? '', snapshot.symbols))
      .sort((left, right) => right.last_ms - left.last_ms || byBytes(left.bucket_key, right.bucket_key))
      .slice(0, MAX_TASKS);
  };
}

function taskBucket(task: TaskSums, key: string, symbols: SymbolTable): TaskBucket {
  const texts = (ids: ReadonlySet<number>) => [...new Set([...ids].map(symbols.text))].sort(byBytes);
  return {
    bucket_key: key,
    total: task.calls,
    success: task.calls - task.failures,
    failure: task.failures,
    first_ms: task.timestampMs,
    last_ms: task.timestampMs,
    source: symbols.text(task.source),
    source_hash: symbols.text(task.sourceHash),
    auth_index: symbols.text(task.authIndex),
    models: texts(task.models),
    endpoints: texts(task.endpoints),
    input_tokens: task.inputTokens,
    output_tokens: task.outputTokens,
    cached_tokens: task.cachedTokens,
    cache_read_tokens: task.cacheReadTokens,
    cache_creation_tokens: task.cacheCreationTokens,
    total_tokens: task.totalTokens,
    average_latency_ms: task.latencySamples > 0 ? task.latencySumMs / task.latencySamples : null,
    max_latency_ms: task.latencyMaxMs < 0 ? null : task.latencyMaxMs,
  };
}

/**
 * The keys of tasks start with the text of their time, which only raw events have in full. Facts have the time in ms and a hash
 * of the key: a text of whole milliseconds with this hash is the key. Otherwise it comes from a raw event, and when that is
 * deleted, the hash replaces the lost digits, so that keys stay distinct.
 */
function keysOf(tasks: readonly TaskSums[], { snapshot, context }: AnalyticsPlan): string[] {
  const { symbols } = snapshot;
  const guessed = tasks.map((task) => guessKey(task, symbols));
  const unknown = tasks.filter((_, index) => guessed[index] === null);
  const timestamps = new Map(
    readEvents(
      snapshot,
      unknown.map(({ eventId }) => ({ eventId })),
      context,
      ({ timestamp }, eventId) => [eventId, timestamp] as const,
    ),
  );
  return tasks.map((task, index) => guessed[index] ?? keyOf(task, timestamps.get(task.eventId), symbols));
}

function guessKey(task: TaskSums, symbols: SymbolTable): string | null {
  const key = keyOf(task, wholeMilliseconds(task.timestampMs), symbols);
  const { high, low } = taskKeyHash(key);
  return high === task.high && low === task.low ? key : null;
}

function keyOf(task: TaskSums, timestamp: string | undefined, symbols: SymbolTable): string {
  const time = timestamp ?? `${wholeMilliseconds(task.timestampMs)}#${hex(task.high)}${hex(task.low)}`;
  return taskKey(time, symbols.text(task.sourceHash), symbols.text(task.authIndex));
}

/** As timestamps are stored: without trailing zeros of the fraction. */
function wholeMilliseconds(timestampMs: number): string {
  return new Date(timestampMs).toISOString().replace(/\.?0+Z$/, 'Z');
}

function hex(half: number): string {
  return half.toString(16).padStart(8, '0');
}
