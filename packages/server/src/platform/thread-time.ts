/** Processor time of the current thread in milliseconds; where the system does not tell it, the time that passed. */
export const threadMs: () => number = tellsThreadTime()
  ? () => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1_000;
    }
  : () => performance.now();

function tellsThreadTime(): boolean {
  try {
    return process.threadCpuUsage().user >= 0;
  } catch {
    return false;
  }
}
