import { Session } from 'node:inspector/promises';

/** Thrown during another recording: two would disturb each other. */
export class ProfileBusy extends Error {
  override readonly name = 'ProfileBusy';
}

export interface CpuProfiler {
  /** Records until the time is over or the abort; returns the text of a `.cpuprofile` file. */
  record(durationMs: number, signal: AbortSignal): Promise<string>;
}

export function createCpuProfiler(): CpuProfiler {
  let busy = false;
  return {
    async record(durationMs, signal) {
      if (busy) throw new ProfileBusy('a CPU profile is being recorded');
      busy = true;
      const session = new Session();
      try {
        session.connect();
        await session.post('Profiler.enable');
        await session.post('Profiler.start');
        await elapsed(durationMs, signal);
        const { profile } = await session.post('Profiler.stop');
        return JSON.stringify(profile);
      } finally {
        session.disconnect();
        busy = false;
      }
    },
  };
}

function elapsed(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, durationMs);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
