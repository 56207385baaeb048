/** The product build sets it to false: only the server from source and the executable of the fault tests can stop. */
declare const MANAGER_STOP_POINTS: boolean | undefined;

const wanted = typeof MANAGER_STOP_POINTS === 'boolean' ? '' : (process.env.MANAGER_STOP_AT ?? '');
const [wantedName = '', wantedVisit = '1'] = wanted.split('#');
let visits = 0;

/**
 * A named point between two steps whose order matters after a crash. The fault tests start the server with
 * `MANAGER_STOP_AT=name` (or `name#3` for the third visit), and the process kills itself there, as in a power failure;
 * otherwise it does nothing. Works in every thread; visits are counted per thread.
 */
export function stopPoint(name: string): void {
  if (name !== wantedName) return;
  visits += 1;
  if (visits !== Number(wantedVisit)) return;
  process.kill(process.pid, 'SIGKILL');
  // The signal may take a moment to arrive; nothing may happen until then.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
