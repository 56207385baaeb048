import type { ManagerConfig } from '../../platform/config/config.ts';
import { loadConfig } from '../../platform/config/load.ts';
import type { Environment } from '../../platform/config/values.ts';
import { messageOf } from '../../platform/logging/error-text.ts';
import { createLogging, type Logging } from '../../platform/logging/logger.ts';
import { isOperatorError, startProblem } from './operator-errors.ts';

/** The inputs of the composition root. */
export interface ServeRequest {
  readonly config: ManagerConfig;
  readonly logging: Logging;
  readonly version: string;
}

export interface RunningManager {
  /** Settles when it ends without a stop, for instance because the listener failed. */
  readonly ended: Promise<void>;
  /** Finishes and commits work in progress, then closes everything; the lock last. */
  stop(): Promise<void>;
}

export type Serve = (request: ServeRequest) => Promise<RunningManager>;

export interface ServeProcess {
  readonly env: Environment;
  readonly cwd: string;
  readonly executableDir: string;
  readonly version: string;
  /** Called for every signal that asks for a stop. */
  readonly onSignal: (listener: (name: string) => void) => void;
  /** Called for uncaught errors. */
  readonly onUncaught: (listener: (error: unknown) => void) => void;
  readonly exit: (code: number) => never;
  readonly stderr: (line: string) => void;
}

/** Time limit for work in progress. */
const STOP_BUDGET_MS = 30_000;
/** A terminal and a launcher both pass on one Ctrl-C: a second signal within this time is the same request. */
const SAME_REQUEST_MS = 300;

/** Runs the server until a signal or a failure; returns the exit code. */
export async function runServer(process: ServeProcess, serve: Serve): Promise<number> {
  let logging: Logging | undefined;
  const stop = stopRequest(process);
  try {
    logging = await createLogging();
    const { logger } = logging;
    // One broken request or timer must not stop the collection of all events.
    process.onUncaught((error) => logger.error({ err: error }, 'uncaught error'));
    const config = loadConfig({ ...process, purpose: 'serve' });
    protectConfigured(logging, config);
    for (const warning of config.warnings) logger.warn(warning);
    const manager = await serve({ config, logging, version: process.version });
    const signal = await Promise.race([stop, manager.ended.then(() => null)]);
    logger.info(signal === null ? 'the server ended, stopping' : { signal }, 'stopping');
    await manager.stop();
    logger.info('stopped');
    return signal === null ? 1 : 0;
  } catch (error) {
    if (logging === undefined) process.stderr(`manager-server: ${messageOf(error)}`);
    else
      logging.logger.fatal(
        isOperatorError(error) || startProblem(error) !== null ? {} : { err: error },
        `cannot run: ${startProblem(error) ?? messageOf(error)}`,
      );
    return 1;
  }
}

/** Resolves with the first signal. A second one, or a stop that takes too long, ends the process. */
function stopRequest({ onSignal, exit }: ServeProcess): Promise<string> {
  return new Promise((resolve) => {
    let firstAt: number | null = null;
    onSignal((name) => {
      if (firstAt === null) {
        firstAt = performance.now();
        setTimeout(() => exit(1), STOP_BUDGET_MS).unref();
        resolve(name);
      } else if (performance.now() - firstAt >= SAME_REQUEST_MS) {
        exit(1);
      }
    });
  });
}

function protectConfigured({ protect }: Logging, config: ManagerConfig): void {
  protect(config.adminKey);
  protect(config.dataKeyText);
  protect(config.environmentConnection?.managementKey ?? '');
}
