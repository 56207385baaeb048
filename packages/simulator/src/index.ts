export type * from './faults/fault-types.ts';
export { startSimulator } from './simulator.ts';
export type * from './types.ts';
