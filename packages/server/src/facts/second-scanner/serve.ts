import type { FactSnapshot } from '../reader.ts';
import { OnlyPlanned } from '../scan.ts';
import type { Section } from '../section.ts';
import { type OfferedTask, PLACE, type Question, type ScannedPart, TaskState, type ToScanner } from './protocol.ts';
import { scanPart } from './scan-part.ts';
import { sharedRange } from './shared-range.ts';

// The global of a worker has the members of `Worker` as seen from inside.
declare const self: Worker;

/** What the second scanner needs of the analytics worker's operations. */
export interface ServedScanner {
  /** Calls `body` with a snapshot, in one read transaction. */
  readonly read: (body: (snapshot: FactSnapshot) => void) => void;
  /** Begins to answer a question over this snapshot, up to its first scan. */
  readonly plan: (question: Question, snapshot: FactSnapshot) => void;
}

/** Turns the current worker into the second scanner of the analytics worker that started it. */
export function serveSecondScanner<Init>(open: (init: Init) => ServedScanner): void {
  self.onmessage = (opened: MessageEvent<ToScanner<Init>>) => {
    if (opened.data.kind !== 'open') return;
    const { port } = opened.data;
    const served = open(opened.data.init);

    function scan({ id, question, task, memory }: OfferedTask): void {
      const places = new Int32Array(memory);
      const range = sharedRange(places, PLACE.range);
      let state: number = TaskState.failed;
      const checkStopped = () => {
        if (Atomics.load(places, PLACE.stopped) !== 0) throw new Error('nobody waits for this scan');
      };
      try {
        // Nothing is left when it was busy, or has just started.
        if (range.isEmpty()) return;
        served.read((snapshot) => {
          const packed = scanPart(
            snapshot,
            task,
            plannedSections((planned) => served.plan(question, planned), snapshot),
            range,
            checkStopped,
          );
          if (packed === null) return;
          port.postMessage({ id, packed } satisfies ScannedPart);
          state = TaskState.done;
        });
      } catch {
        // The other thread computes what is missing, and meets what was wrong.
      } finally {
        Atomics.store(places, PLACE.state, state);
        Atomics.notify(places, PLACE.state);
      }
    }

    self.onmessage = (event: MessageEvent<ToScanner<Init>>) => {
      if (event.data.kind === 'task') scan(event.data);
    };
  };
}

/**
 * The sections that a question adds to its scans, by key.
 *
 * @param plan begins to answer it
 */
export function plannedSections(
  plan: (snapshot: FactSnapshot) => void,
  snapshot: FactSnapshot,
): ReadonlyMap<string, Section<unknown>> {
  const planned = new Map<string, Section<unknown>>();
  try {
    plan({ ...snapshot, planned });
  } catch (error) {
    if (!(error instanceof OnlyPlanned)) throw error;
  }
  return planned;
}
