import type { GeneratedEvent, Publishable, PublishOptions, Traffic, TrafficOptions } from './types.ts';

/** Interval of paced work; short enough that 256 buffered messages last for 20,000 events/s. */
const STEP_MS = 5;

interface Publisher {
  publish(event: Publishable, options?: PublishOptions): Promise<number>;
  startTraffic(options: TrafficOptions): Traffic;
  /** Runs an action once, or repeatedly at a rate. */
  repeat(action: () => void, pace: { readonly count?: number; readonly rate?: number }): Promise<void>;
  /** Stops everything that still runs. */
  stop(): void;
}

/** Publishes at once or at a steady rate. The rate is in real time: a controlled clock does not slow it down. */
export function createPublisher(options: {
  readonly publishOne: (event: Publishable, number: number | null) => void;
  readonly succeedSilently: (authIndex: string) => void;
}): Publisher {
  const running = new Set<() => void>();

  /** Calls `next` `rate` times a second until it returns false, making up for late timers. */
  function paced(rate: number, next: () => boolean): { readonly stop: () => void; readonly done: Promise<void> } {
    const startedMs = performance.now();
    let calls = 0;
    let finish: () => void = () => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const stop = (): void => {
      clearInterval(timer);
      running.delete(stop);
      finish();
    };
    const timer = setInterval(() => {
      const due = Math.floor(((performance.now() - startedMs) / 1000) * rate);
      while (calls < due) {
        calls += 1;
        if (next()) continue;
        stop();
        return;
      }
    }, STEP_MS);
    running.add(stop);
    return { stop, done };
  }

  async function repeat(action: () => void, { count = 1, rate }: { count?: number; rate?: number }): Promise<void> {
    let left = count;
    if (rate === undefined) {
      for (; left > 0; left -= 1) action();
      return;
    }
    if (left <= 0) return;
    await paced(rate, () => {
      action();
      left -= 1;
      return left > 0;
    }).done;
  }

  return {
    repeat,
    publish(event, { count = 1, rate, number } = {}) {
      let published = 0;
      const action = (): void => {
        options.publishOne(event, number === undefined ? null : number + published);
        published += 1;
      };
      return repeat(action, { count, ...(rate === undefined ? {} : { rate }) }).then(() => published);
    },
    startTraffic({ rate, total, events, silentEvery }) {
      let sent = 0;
      const traffic = paced(rate, () => {
        const next: IteratorResult<GeneratedEvent> = events.next();
        if (next.done === true || (total !== undefined && sent >= total)) return false;
        options.publishOne(next.value, null);
        sent += 1;
        if (silentEvery !== undefined && sent % silentEvery === 0) options.succeedSilently(next.value.authIndex);
        return total === undefined || sent < total;
      });
      return { sent: () => sent, stop: traffic.stop, done: traffic.done };
    },
    stop() {
      for (const stop of [...running]) stop();
    },
  };
}
