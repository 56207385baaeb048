import type { ConnectionService } from '../features/setup/connection-service.ts';
import { type CallerKeys, createCallerKeys } from '../gateway/caller-keys.ts';
import type { ManagementClient } from '../gateway/management-client.ts';
import { createRegisteredPlugins, type RegisteredPlugins } from '../gateway/plugin-list.ts';
import type { KeyRefusalGate } from '../gateway/types.ts';

const TIMEOUT_MS = 10_000;

/** What stands between callers with keys of their own and the gateway. */
export function createCallerGates(deps: {
  readonly gate: KeyRefusalGate;
  readonly management: Pick<ManagementClient, 'touch' | 'hasPlugins'>;
  readonly connection: Pick<ConnectionService, 'effective' | 'managerRecord'>;
}): { readonly callerKeys: CallerKeys; readonly plugins: RegisteredPlugins } {
  const { gate, management, connection } = deps;
  // Only durations: nobody sets this clock.
  const now = () => performance.now();
  const options = () => ({ timeoutMs: TIMEOUT_MS, tlsSkipVerify: connection.managerRecord().collector.tlsSkipVerify });
  return {
    callerKeys: createCallerKeys({
      gate,
      now,
      async payBack() {
        const current = connection.effective().connection;
        if (current !== null) await management.touch(current, options());
      },
      after(ms, call) {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
    }),
    plugins: createRegisteredPlugins({ now, ask: (current) => management.hasPlugins(current, options()) }),
  };
}
