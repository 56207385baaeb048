import type { Clock } from '../clock.ts';
import type { Connection } from '../net/connection.ts';

interface Output {
  readonly bytes: Uint8Array;
  readonly written: () => void;
}

/** Waiting output, a delay, or the end of the connection. */
type Step = Output | { readonly pauseMs: number } | 'close';

/** Ordered output of a RESP connection. What is sent without a delay in between is written at once. */
export interface RespWriter {
  readonly connection: Connection;
  /** `written` runs when the system has taken the last byte. */
  send(bytes: Uint8Array, written?: () => void): void;
  /** Nothing is written for `ms`; later output waits behind. */
  pause(ms: number): void;
  /** Closes after everything sent so far. */
  close(): void;
  /** Output waits until released. */
  hold(held: boolean): void;
  /** Writes what the system takes now. */
  flush(): void;
}

const nothing = (): void => {};

export function createRespWriter(connection: Connection, clock: Clock): RespWriter {
  const { socket } = connection;
  const steps: Step[] = [];
  /** Handed to the socket; `end` counts the bytes since the connection was accepted. */
  const batches: { readonly outputs: readonly Output[]; readonly end: number }[] = [];
  let handedBytes = 0;
  let isHeld = false;
  let isPausing = false;
  let isScheduled = false;

  function add(step: Step): void {
    steps.push(step);
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(flush);
  }

  function flush(): void {
    isScheduled = false;
    if (isHeld || isPausing || connection.closed) return;
    hand(connection.packetBytes > 0 ? takePacket(connection.packetBytes) : takeOutputs());
    const next = steps[0];
    if (next === undefined) return;
    // With packets: one in each turn of the event loop.
    if (isOutput(next)) setImmediate(flush);
    else {
      steps.shift();
      isPausing = true;
      if (next === 'close') socket.destroySoon();
      else clock.after(next.pauseMs, goOn);
    }
  }

  function goOn(): void {
    isPausing = false;
    flush();
  }

  function takeOutputs(): Output[] {
    const end = steps.findIndex((step) => !isOutput(step));
    return steps.splice(0, end < 0 ? steps.length : end).filter(isOutput);
  }

  function takePacket(size: number): Output[] {
    const first = steps[0];
    if (first === undefined || !isOutput(first)) return [];
    if (first.bytes.length <= size) steps.shift();
    else steps[0] = { ...first, bytes: first.bytes.subarray(size) };
    return first.bytes.length <= size ? [first] : [{ bytes: first.bytes.subarray(0, size), written: nothing }];
  }

  function hand(outputs: readonly Output[]): void {
    const [first] = outputs;
    if (first === undefined) return;
    const bytes = outputs.length === 1 ? first.bytes : Buffer.concat(outputs.map((output) => output.bytes));
    handedBytes += bytes.length;
    batches.push({ outputs, end: handedBytes });
    socket.write(bytes);
    settle();
    // An empty write is done when the system has taken everything before it.
    if (batches.length > 0) socket.write('', settle);
  }

  function settle(): void {
    if (socket.destroyed || connection.closed) return;
    const taken = handedBytes - socket.writableLength;
    while (batches[0] !== undefined && batches[0].end <= taken) {
      for (const output of batches.shift()?.outputs ?? []) output.written();
    }
  }

  return {
    connection,
    send: (bytes, written = nothing) => add({ bytes, written }),
    pause: (ms) => add({ pauseMs: ms }),
    close: () => add('close'),
    hold(held) {
      isHeld = held;
      if (!held) flush();
    },
    flush,
  };
}

function isOutput(step: Step): step is Output {
  return step !== 'close' && 'bytes' in step;
}
