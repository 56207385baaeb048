import type { Simulator } from '@manager/simulator';
import { authFilesOf } from '@manager/simulator';
import { ManagerProcess } from '../../test/support/manager-process.ts';
import { boundTo, startUpstream } from '../../test/support/upstream.ts';
import type { WorkingCopy } from '../dataset/database.ts';
import { benchAccounts } from '../dataset/events.ts';

export interface StartOptions {
  readonly upstream?: Simulator;
  readonly mode?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Another executable than the one under `MANAGER_BINARY`. */
  readonly binary?: string;
}

const running = new Set<ManagerProcess>();
process.on('exit', () => {
  for (const manager of running) if (manager.running) process.kill(manager.pid, 'SIGKILL');
});

/** Starts the built executable on a data directory; resolves when `/health` answers. */
export async function startManager(data: WorkingCopy, options: StartOptions = {}): Promise<ManagerProcess> {
  const usual = process.env.MANAGER_BINARY;
  if (options.binary !== undefined) process.env.MANAGER_BINARY = options.binary;
  try {
    const manager = await ManagerProcess.start({
      dataDir: data.folder,
      env: { ...(options.upstream ? boundTo(options.upstream, options.mode) : {}), ...options.env },
    });
    running.add(manager);
    return manager;
  } finally {
    process.env.MANAGER_BINARY = usual;
  }
}

/** A gateway with the accounts of the generated traffic and room for every event it is given. */
export function startGateway(): Promise<Simulator> {
  return startUpstream({
    authFiles: authFilesOf(benchAccounts(), Date.now()),
    retentionSeconds: 3_600,
    recordLimit: 100,
  });
}
