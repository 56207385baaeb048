import { afterEach } from 'bun:test';
import { startSimulator } from '../simulator.ts';
import type { Simulator, SimulatorOptions } from '../types.ts';

/** Returns a function that starts simulators with a clock of their own; they stop after the test. */
export function simulatorStarter(defaults: SimulatorOptions = { clock: 'controlled' }) {
  const running: Simulator[] = [];
  afterEach(async () => {
    for (const simulator of running.splice(0)) await simulator.stop();
  });
  return async (options: SimulatorOptions = {}): Promise<Simulator> => {
    const simulator = await startSimulator({ ...defaults, ...options });
    running.push(simulator);
    return simulator;
  };
}
