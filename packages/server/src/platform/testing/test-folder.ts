import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate folder for a test; `path` names a file in it. */
export interface TestFolder {
  path(name: string): string;
  dispose(): void;
}

export function createTestFolder(): TestFolder {
  const folder = mkdtempSync(join(tmpdir(), 'manager-db-'));
  return {
    path: (name) => join(folder, name),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
