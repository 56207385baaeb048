import { useQuery } from '@tanstack/react-query';
import { useServices } from '../api/services.ts';
import { isRecord, readStored, writeStored } from '../browser/storage.ts';
import { usePreferences } from '../preferences/preferences.ts';
import { useSession } from '../session/session.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The gateway asks a release server, which takes up to 10 s. */
const TIMEOUT_MS = 15_000;

interface LatestGateway {
  /** '' = unknown, which never means that there is none. */
  readonly version: string;
  readonly atMs: number;
}

/** The answer of an earlier load: the release server is asked once a day, and an hour after a failure. */
function storedLatest(nowMs: number): LatestGateway | undefined {
  const stored = readStored('browser', 'updates');
  if (!isRecord(stored) || typeof stored.version !== 'string' || typeof stored.atMs !== 'number') return undefined;
  const { version, atMs } = stored;
  return atMs <= nowMs && atMs > nowMs - (version === '' ? HOUR_MS : DAY_MS) ? { version, atMs } : undefined;
}

/**
 * The newest release of the gateway, as the gateway itself reports it. It asks a server outside, so it does so automatically only
 * where somebody has allowed it. `refetch` asks again.
 */
export function useLatestGateway() {
  const { client, session } = useServices();
  const signedIn = useSession(session) !== null;
  const { updateChecks } = usePreferences();
  return useQuery({
    queryKey: ['latest-upstream'],
    enabled: signedIn && updateChecks,
    initialData: () => storedLatest(Date.now()),
    initialDataUpdatedAt: () => storedLatest(Date.now())?.atMs,
    staleTime: (query) => (query.state.data?.version === '' ? HOUR_MS : DAY_MS),
    queryFn: async ({ signal }): Promise<LatestGateway> => {
      const version = await client
        .call<unknown>('v0/management/latest-version', { signal, timeoutMs: TIMEOUT_MS })
        .then(versionIn, () => '');
      const latest = { version, atMs: Date.now() };
      if (signal.aborted) throw new DOMException('aborted', 'AbortError');
      writeStored('browser', 'updates', latest);
      return latest;
    },
  });
}

function versionIn(answer: unknown): string {
  const version = isRecord(answer) ? answer['latest-version'] : undefined;
  return typeof version === 'string' ? version : '';
}
