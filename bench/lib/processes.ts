import { until } from '@manager/core/testing/until';
import { authFilesOf, type Simulator, type SimulatorOptions } from '@manager/simulator';
import { ManagerProcess } from '../../test/support/manager-process.ts';
import { readStatus } from '../../test/support/status.ts';
import { boundTo, startTestGateway } from '../../test/support/test-gateway.ts';
import { trafficAccounts } from '../../test/support/traffic.ts';
import type { DataFolder } from '../dataset/database.ts';
import type { Build } from './builds.ts';
import { endWithThisProcess } from './children.ts';

export interface StartOptions {
  /** The gateway's events are collected once this returns. */
  readonly gateway?: { readonly url: string };
  readonly mode?: string;
}

/** A serving manager of a build. */
export async function startManager(
  build: Build,
  { folder }: DataFolder,
  { gateway, mode }: StartOptions = {},
): Promise<ManagerProcess & AsyncDisposable> {
  const env = gateway === undefined ? {} : boundTo(gateway, mode);
  const manager = await ManagerProcess.start({ dataDir: folder, env, executable: build.executable });
  endWithThisProcess(() => process.kill(manager.pid, 'SIGKILL'), manager.ended);
  if (gateway !== undefined) await until(async () => (await readStatus(manager)).collector.collector === 'running');
  return Object.assign(manager, { [Symbol.asyncDispose]: async () => void (await manager.stop()) });
}

/** A gateway that buffers every event; by default with the accounts of the generated traffic. */
export async function startGateway(options: SimulatorOptions = {}): Promise<Gateway> {
  const gateway = await startTestGateway({
    authFiles: options.authFiles ?? authFilesOf(trafficAccounts(), Date.now()),
    retentionSeconds: 3_600,
    recordLimit: 100,
    ...options,
  });
  return Object.assign(gateway, { [Symbol.asyncDispose]: () => gateway.stop() });
}

export type Gateway = Simulator & AsyncDisposable;
