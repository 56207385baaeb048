import { AppError } from '@manager/core/contract/errors';
import type { PrivateDirectory } from '../../platform/files/private-directory.ts';
import type { ArchiveStages } from './stages/stage.ts';

/** The archive directory, if it exists. A missing one blocks only archives, and is tried again. */
export interface ArchiveHome {
  /** @throws usage_archive_unavailable */
  requireAvailable(): Promise<void>;
  /** @throws usage_archive_unavailable */
  stages(): Promise<ArchiveStages>;
  close(): Promise<void>;
}

export interface ArchiveHomeDeps {
  /** Opens `usage-archives` and creates it if it is missing. */
  readonly open: () => Promise<PrivateDirectory>;
  readonly createStages: (directory: PrivateDirectory) => ArchiveStages;
}

export function createArchiveHome(deps: ArchiveHomeDeps): ArchiveHome {
  let opened: { readonly directory: PrivateDirectory; readonly stages: ArchiveStages } | null = null;
  let opening: Promise<ArchiveStages> | null = null;

  async function open(): Promise<ArchiveStages> {
    try {
      if (opened === null) {
        const directory = await deps.open();
        opened = { directory, stages: deps.createStages(directory) };
      }
      await opened.directory.verify();
      return opened.stages;
    } catch (cause) {
      throw new AppError('usage_archive_unavailable', { cause });
    } finally {
      opening = null;
    }
  }

  async function stages(): Promise<ArchiveStages> {
    opening ??= open();
    return opening;
  }

  return {
    stages,
    async requireAvailable() {
      await stages();
    },
    async close() {
      await opening?.catch(() => {});
      await opened?.stages.close();
    },
  };
}
