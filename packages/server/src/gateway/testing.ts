import { type Simulator, type SimulatorOptions, startSimulator } from '@manager/simulator';
import type { GatewayConnection } from '../platform/config/config.ts';
import type { ClaimStore } from './claims/store.ts';
import { createGatewayHttp, type GatewayHttp } from './http-call.ts';
import { createManagementClient, type ManagementClient } from './management-client.ts';
import { createKeyRefusalGate, type PersistentKeyRefusalGate } from './refusal-gate.ts';

export const SIMULATOR_KEY = 'sim-management-key';

/** A running simulator with the clients of this folder. */
export interface GatewayRig {
  readonly simulator: Simulator;
  readonly connection: GatewayConnection;
  readonly gate: PersistentKeyRefusalGate;
  readonly http: GatewayHttp;
  readonly management: ManagementClient;
  readonly settings: Map<string, string>;
  /** Moves the clock of the gate. */
  pass(ms: number): void;
  stop(): Promise<void>;
}

export async function startGatewayRig(
  options: SimulatorOptions = {},
  key: string = options.managementKey ?? SIMULATOR_KEY,
): Promise<GatewayRig> {
  const simulator = await startSimulator(options);
  const settings = new Map<string, string>();
  let passedMs = 0;
  const gate = await openGate(settings, () => Date.now() + passedMs);
  const http = createGatewayHttp({ gate, now: Date.now, instanceId: 'test-instance', dialTimeoutMs: 1_000 });
  return {
    simulator,
    connection: { baseUrl: simulator.url, managementKey: key },
    gate,
    http,
    settings,
    pass(ms) {
      passedMs += ms;
    },
    management: createManagementClient({
      http,
      now: Date.now,
      authFileTiming: { freshMs: 200, minIntervalMs: 60, timeoutMs: 2_000 },
    }),
    stop: () => simulator.stop(),
  };
}

/** Nothing is disabled automatically, so no manual change revokes anything. */
export const NO_CLAIMS: ClaimStore = {
  reader: { run: async () => [] as never },
  writer: { run: async () => null as never },
};

/** The gate as a new process opens it. */
export function openGate(settings: Map<string, string>, now = Date.now): Promise<PersistentKeyRefusalGate> {
  return createKeyRefusalGate({
    now,
    readSetting: async (key) => settings.get(key) ?? null,
    writeSetting: async (key, value) => {
      settings.set(key, value);
    },
  });
}
