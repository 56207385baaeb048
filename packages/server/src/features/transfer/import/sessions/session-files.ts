import { errorCode } from '../../../../platform/files/held-files.ts';
import type { PrivateDirectory } from '../../../../platform/files/private-directory.ts';
import { UnsafeFileError, type VerifiedFile } from '../../../../platform/files/verified-file.ts';
import { parseRecord, type SessionRecord, serializeRecord } from './record.ts';

/** Temporary files of the directory. */
export const TEMPORARY = { prefix: '.session-', suffix: '.tmp' };

/** Larger than any metadata of ours. */
const RECORD_LIMIT_BYTES = 1024 * 1024;
const SESSION_FILE = /^([0-9a-f]{32})\.(json|part)$/;

export interface FoundSession {
  readonly id: string;
  readonly hasRecord: boolean;
}

/** The files of the sessions: `<id>.json` and the bytes received so far in `<id>.part`. */
export interface SessionFiles {
  /** Creates the empty file for the bytes. */
  createPart(id: string): Promise<void>;
  openPart(id: string, options?: { readonly write: boolean }): Promise<VerifiedFile>;
  /** For callers that read it themselves; they must verify it by opening it first. */
  partPath(id: string): string;
  removePart(id: string): Promise<void>;
  /** Null when it is missing. @throws UnsafeFileError when it is no regular file */
  partSize(id: string): Promise<number | null>;
  /** Replaces the metadata completely. */
  save(record: SessionRecord, beforeRename?: () => void): Promise<void>;
  removeRecord(id: string): Promise<void>;
  /** Null when it is unreadable, a link, or belongs to another session. */
  load(id: string): Promise<SessionRecord | null>;
  /** Every session with a file, after leftovers of a crash were removed. */
  find(): Promise<readonly FoundSession[]>;
}

export function createSessionFiles(directory: PrivateDirectory): SessionFiles {
  const partName = (id: string) => `${id}.part`;
  const recordName = (id: string) => `${id}.json`;

  return {
    async createPart(id) {
      await (await directory.create(partName(id))).close();
    },
    openPart: (id, options) => directory.open(partName(id), options),
    partPath: (id) => directory.path(partName(id)),
    async removePart(id) {
      if (await directory.remove(partName(id))) await directory.sync();
    },
    async partSize(id) {
      try {
        await using file = await directory.open(partName(id));
        return file.size;
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return null;
        throw error;
      }
    },
    save: (record, beforeRename) =>
      directory.publish(recordName(record.id), serializeRecord(record), beforeRename ? { beforeRename } : {}),
    async removeRecord(id) {
      if (await directory.remove(recordName(id))) await directory.sync();
    },
    async load(id) {
      try {
        const record = parseRecord(await directory.read(recordName(id), { limitBytes: RECORD_LIMIT_BYTES }));
        return record?.id === id ? record : null;
      } catch (error) {
        if (error instanceof UnsafeFileError) return null;
        throw error;
      }
    },
    async find() {
      await directory.removeTemporary();
      const found = new Map<string, boolean>();
      for (const { name } of await directory.list()) {
        const [, id, kind] = SESSION_FILE.exec(name) ?? [];
        if (id !== undefined) found.set(id, found.get(id) === true || kind === 'json');
      }
      return Array.from(found, ([id, hasRecord]) => ({ id, hasRecord }));
    },
  };
}
