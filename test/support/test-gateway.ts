import { type Simulator, type SimulatorOptions, startSimulator } from '@manager/simulator';

export const TEST_UPSTREAM_KEY = 'upstream-key-of-the-tests';

export function startTestGateway(options: SimulatorOptions = {}): Promise<Simulator> {
  return startSimulator({ managementKey: TEST_UPSTREAM_KEY, authFiles: 12, ...options });
}

/** Environment of a manager bound to the given gateway. */
export function boundTo(gateway: { readonly url: string }, mode = 'auto'): Record<string, string> {
  return {
    UPSTREAM_URL: gateway.url,
    UPSTREAM_MANAGEMENT_KEY: TEST_UPSTREAM_KEY,
    USAGE_COLLECTOR_MODE: mode,
  };
}

export type { Simulator };
