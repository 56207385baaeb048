import { readFileSync } from 'node:fs';

/** The bit of SIGHUP in the mask of ignored signals. */
const HANGUP = 1n;
/** Signals that a running program may get by mistake; the runtime would end at once. */
const MEANINGLESS = ['SIGUSR1', 'SIGUSR2'] as const;

/**
 * Calls the listener for every signal that asks for a stop: also when the terminal closes, unless the program was started to survive
 * that (`nohup`).
 */
export function onStopSignal(listener: (name: string) => void): void {
  const names: NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];
  if (process.platform !== 'win32') names.push('SIGQUIT');
  if (!ignoresHangup()) names.push('SIGHUP');
  for (const name of names) process.on(name, () => listener(name));
  if (process.platform === 'win32') return;
  for (const name of MEANINGLESS) process.on(name, () => {});
}

/** A listener would undo that. Where it cannot be asked, a program without a terminal is taken for one that was started so. */
function ignoresHangup(): boolean {
  if (process.platform === 'win32') return false;
  try {
    const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (mask !== undefined) return (BigInt(`0x${mask}`) & HANGUP) !== 0n;
  } catch {
    // Only Linux has it.
  }
  return !process.stdout.isTTY;
}
