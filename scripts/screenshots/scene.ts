import type { ManagerProcess } from '../../test/support/manager-process.ts';

/** A running manager with its gateway, and the values for the page addresses. */
export interface Scene {
  readonly manager: ManagerProcess;
  readonly values: Readonly<Record<string, string>>;
  /** Address of a manager that was never set up, when there is one. */
  readonly unboundUrl?: string;
  /** Stops everything and removes its data. */
  end(): Promise<void>;
}

/** Stopped in reverse order, also when the process is terminated. */
export function createCleanUp() {
  const works: (() => unknown)[] = [];
  return {
    later(work: () => unknown): void {
      works.push(work);
    },
    async run(): Promise<void> {
      for (const work of works.splice(0).reverse()) await work();
    },
  };
}

export type CleanUp = ReturnType<typeof createCleanUp>;
