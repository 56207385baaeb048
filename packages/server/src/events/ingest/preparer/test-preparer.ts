import { READY_PLACE, State, stateOf, type ToPreparer } from './protocol.ts';

// The global of a worker has the members of `Worker` as seen from inside.
declare const self: Worker;

/** A preparer that takes the second chunk of each batch and never prepares it; the first record says what it does instead. */
if (!Bun.isMainThread) {
  let states = new Int32Array(new SharedArrayBuffer(4));
  self.onmessage = ({ data }: MessageEvent<ToPreparer>) => {
    if (data.kind === 'open') {
      states = new Int32Array(data.states);
      Atomics.store(states, READY_PLACE, 1);
      return;
    }
    Atomics.compareExchange(states, 1, stateOf(data.batch, State.free), stateOf(data.batch, State.preparers));
    const order = data.chunks[0]?.texts[0];
    if (order === 'end') process.exit(1);
    if (order === 'fail') throw new Error('as the test wants');
  };
}
