import type { AccountSnapshotTable } from '@manager/core/usage/event';
import { createWordMirror } from '../../detail/word-mirror.ts';
import { buffersOf } from '../packed-events.ts';
import { type PrepareBatch, type PreparedChunk, READY_PLACE, State, stateOf, type ToPreparer } from './protocol.ts';
import { createRecordPacker } from './record-packer.ts';

// The global of a worker has the members of `Worker` as seen from inside.
declare const self: Worker;

/** Turns the current worker into the preparer of the writer that started it. It has no connection to the database. */
export function servePreparer(): void {
  self.onmessage = (opened: MessageEvent<ToPreparer>) => {
    if (opened.data.kind !== 'open') return;
    const { port } = opened.data;
    const states = new Int32Array(opened.data.states);
    const words = createWordMirror();
    const pack = createRecordPacker(words);
    let snapshots: AccountSnapshotTable | null = null;

    function prepare({ batch, chunks, ...news }: PrepareBatch): void {
      words.learn(news.words);
      if (news.snapshots !== undefined) snapshots = news.snapshots;
      const taken = stateOf(batch, State.preparers);
      for (const [chunk, records] of chunks.entries()) {
        if (Atomics.compareExchange(states, chunk, stateOf(batch, State.free), taken) !== stateOf(batch, State.free)) {
          continue;
        }
        const events = pack(records, snapshots);
        const prepared: PreparedChunk = { batch, chunk, events };
        port.postMessage(prepared, buffersOf(events));
        Atomics.compareExchange(states, chunk, taken, stateOf(batch, State.prepared));
        Atomics.notify(states, chunk);
      }
    }

    self.onmessage = (event: MessageEvent<ToPreparer>) => {
      if (event.data.kind === 'batch') prepare(event.data);
    };
    Atomics.store(states, READY_PLACE, 1);
  };
}
