import type { Simulator, SimulatorOptions } from './types.ts';

/** Starts an upstream on a loopback port; resolves when it listens. */
export declare function startSimulator(options?: SimulatorOptions): Promise<Simulator>;
