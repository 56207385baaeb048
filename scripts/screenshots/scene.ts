import type { ManagerProcess } from '../../test/support/manager-process.ts';

/** A running manager with its gateway, and what the addresses of its pages are filled with. */
export interface Scene {
  readonly manager: ManagerProcess;
  readonly values: Readonly<Record<string, string>>;
  /** Address of a manager that was never set up, when there is one. */
  readonly unboundUrl?: string;
  /** Ends everything and removes its data. */
  end(): Promise<void>;
}

/** Ended in the reverse order, also when the process is told to stop. */
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
