export interface IdleTimer {
  /** Work begins: the time counts from now. */
  touch(): void;
  stop(): void;
}

export interface IdleTimerOptions {
  readonly afterMs: number;
  /** Called once after the last work. */
  readonly onIdle: () => void;
}

export function createIdleTimer({ afterMs, onIdle }: IdleTimerOptions): IdleTimer {
  let timer: Timer | undefined;
  return {
    touch: () => {
      clearTimeout(timer);
      timer = setTimeout(onIdle, afterMs);
    },
    stop: () => clearTimeout(timer),
  };
}
