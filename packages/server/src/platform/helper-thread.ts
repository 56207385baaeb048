import { MessageChannel } from 'node:worker_threads';

/** A thread that helps another one, with a port on which the latter can read answers without waiting for its event loop. */
export interface HelperThread {
  readonly worker: Worker;
  readonly port: InstanceType<typeof MessageChannel>['port1'];
}

export interface HelperOptions {
  readonly entry: string | URL;
  readonly name: string;
  /** A small heap, collected more often. */
  readonly smol?: boolean;
  /** The first message to it; the port is its end of the channel. */
  readonly open: (port: MessagePort) => object;
  /** It failed, or ended. */
  readonly onEnd: (thread: HelperThread) => void;
}

/** @throws Error when no thread can be had */
export function startHelper({ entry, name, smol = false, open, onEnd }: HelperOptions): HelperThread {
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(entry, { name, smol });
  const thread: HelperThread = { worker, port: port1 };
  worker.onerror = (event) => {
    event.preventDefault();
    onEnd(thread);
  };
  worker.addEventListener('close', () => onEnd(thread));
  const port = port2 as unknown as MessagePort;
  worker.postMessage(open(port), [port]);
  return thread;
}

export function endHelper({ worker, port }: HelperThread): void {
  port.close();
  worker.terminate();
}
