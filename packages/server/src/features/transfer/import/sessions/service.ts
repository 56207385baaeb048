import { AppError } from '@manager/core/contract/errors';
import type {
  ImportSessionResponse,
  ImportSessionsResponse,
  importSessionCreateRequestSchema,
} from '@manager/core/contract/transfer/import-sessions';
import type { z } from 'zod';
import { stopPoint } from '../../../../platform/stop-point.ts';
import { cancel } from './cancel.ts';
import { type ChunkRequest, receiveChunk } from './chunk.ts';
import { complete } from './job.ts';
import { type ListQuery, listPage } from './list.ts';
import { createOpenSessions, type Opened, type OpenSessionsDeps } from './open-sessions.ts';
import { compareWithDisk, followDisk, refusalOf } from './received-bytes.ts';
import { displayName, EMPTY_SHA256, isId, parseSha256, type SessionRecord, toResponse } from './record.ts';
import { lacksDigest } from './recovery.ts';
import { createSerial } from './serial.ts';
import {
  answerable,
  conflict,
  createSession,
  holdsSlot,
  type ImportSession,
  invalidRequest,
  mismatch,
  type SessionContext,
  timesAt,
  tooLarge,
} from './session.ts';

export interface ImportSessionsDeps extends OpenSessionsDeps {
  /** For all active sessions together, each with the full size of its file. */
  readonly diskQuotaBytes: number;
  readonly maxSessions: number;
  /** A new UUID of version 7, used without hyphens. */
  readonly newId: () => string;
}

type CreateRequest = z.output<typeof importSessionCreateRequestSchema>;

/** Throws `AppError`s of the family `usage_import_session_…`. */
export interface ImportSessions {
  start(): void;
  stop(): Promise<void>;
  create(request: CreateRequest): Promise<ImportSessionResponse>;
  list(query: ListQuery): Promise<ImportSessionsResponse>;
  read(id: string): Promise<ImportSessionResponse>;
  receive(id: string, chunk: ChunkRequest): Promise<ImportSessionResponse>;
  validate(id: string, prefixSha256: string): Promise<ImportSessionResponse>;
  complete(id: string): Promise<ImportSessionResponse>;
  cancel(id: string): Promise<ImportSessionResponse>;
}

export function createImportSessions(deps: ImportSessionsDeps): ImportSessions {
  const openSessions = createOpenSessions(deps);
  const creations = createSerial();
  const checkWaitMs = deps.checkWaitMs ?? 10_000;

  /** Waits until the bytes were checked after a restart, but only briefly when the answer does not need it. */
  async function settled(session: ImportSession): Promise<void> {
    if (session.recovering === null) return;
    const waits = lacksDigest(session.record) ? [] : [Bun.sleep(checkWaitMs)];
    await Promise.race([session.recovering, ...waits]);
  }

  async function create(opened: Opened, request: CreateRequest): Promise<SessionRecord> {
    const { context, sessions } = opened;
    const { size_bytes } = request;
    const filename = displayName(request.filename ?? '');
    const resume_key = request.resume_key ?? null;
    const earlier = [...sessions.values()].find(
      ({ record }) => resume_key !== null && record.resume_key === resume_key,
    );
    if (earlier !== undefined) {
      const { record } = earlier;
      if (record.filename === filename && record.size_bytes === size_bytes) return record;
      throw conflict('this resume key belongs to another file');
    }
    refuseWithoutRoom(deps, sessions, size_bytes);

    const record: SessionRecord = {
      id: deps.newId().replaceAll('-', ''),
      filename,
      resume_key,
      status: 'uploading',
      size_bytes,
      received_bytes: 0,
      received_prefix_sha256: EMPTY_SHA256,
      chunk_size_bytes: Math.min(deps.chunkBytes, size_bytes),
      created_at_ms: deps.now(),
      ...timesAt(deps.now(), deps.ttlMs),
      retryable: false,
      cancel_requested: false,
      error: null,
      result: null,
    };
    await createFiles(context, record);
    sessions.set(record.id, createSession(record));
    return record;
  }

  return {
    start: openSessions.start,
    async stop() {
      await Promise.all([openSessions.stop(), creations.idle()]);
    },
    async create(request) {
      if (request.size_bytes <= 0) throw invalidRequest('size_bytes: must be above 0');
      if (request.resume_key !== undefined && !isId(request.resume_key))
        throw invalidRequest('resume_key: 32 lower-case hex digits');
      const opened = await openSessions.open();
      try {
        return toResponse(await creations.run(() => create(opened, request)));
      } catch (error) {
        throw answerable(error);
      }
    },
    async list(query) {
      const { sessions } = await openSessions.open();
      await Promise.all(Array.from(sessions.values(), settled));
      const all = [...sessions.values()];
      return {
        ...listPage(
          all.map(({ record }) => record),
          query,
        ),
        active_sessions: all.filter(holdsSlot).length,
        max_sessions: deps.maxSessions,
        chunk_size_bytes: deps.chunkBytes,
        disk_quota_bytes: deps.diskQuotaBytes,
        ttl_seconds: Math.floor(deps.ttlMs / 1000),
      };
    },
    read: (id) =>
      openSessions.use(id, async (_, session) => {
        await settled(session);
        return toResponse(session.record);
      }),
    receive: (id, chunk) =>
      openSessions.use(id, async (context, session) => {
        await receiveChunk(context, session, chunk);
        return toResponse(session.record);
      }),
    validate: (id, prefixSha256) =>
      openSessions.use(id, async (context, session) => {
        await validate(context, session, prefixSha256);
        return toResponse(session.record);
      }),
    complete: (id) =>
      openSessions.use(id, async (context, session) => {
        await complete(context, session);
        return toResponse(session.record);
      }),
    cancel: (id) =>
      openSessions.use(id, async (context, session) => {
        await cancel(context, session);
        return toResponse(session.record);
      }),
  };
}

function refuseWithoutRoom(
  { diskQuotaBytes, maxSessions }: ImportSessionsDeps,
  sessions: ReadonlyMap<string, ImportSession>,
  sizeBytes: number,
): void {
  if (sizeBytes > diskQuotaBytes) throw tooLarge(`the file is larger than the disk quota of ${diskQuotaBytes} bytes`);
  const active = [...sessions.values()].filter(holdsSlot);
  if (active.length >= maxSessions) throw new AppError('usage_import_session_limit_exceeded');
  const reserved = active.reduce((sum, { record }) => sum + record.size_bytes, 0);
  if (reserved + sizeBytes > diskQuotaBytes) throw new AppError('usage_import_session_quota_exceeded');
}

async function createFiles({ files }: SessionContext, record: SessionRecord): Promise<void> {
  try {
    await files.createPart(record.id);
    stopPoint('import_session_part_created');
    await files.save(record);
    stopPoint('import_session_recorded');
  } catch (error) {
    // The first error is the one to report; leftovers are removed at the next start.
    await files.removeRecord(record.id).catch(() => {});
    await files.removePart(record.id).catch(() => {});
    throw error;
  }
}

/** Compares the digest of the client's bytes with the stored one, and that with the bytes on disk. */
async function validate(context: SessionContext, session: ImportSession, prefixSha256: string): Promise<void> {
  const digest = parseSha256(prefixSha256);
  if (digest === null) throw invalidRequest('prefix_sha256: 64 hex digits');
  if (session.chunk !== null) throw conflict('a chunk of this import session is being received');
  await session.steps.run(async () => {
    const { status, retryable, received_prefix_sha256 } = session.record;
    if (!(status === 'uploading' || status === 'ready' || (status === 'failed' && retryable))) throw refusalOf(session);
    if (session.cancelling !== null) throw conflict('the import session is being canceled');
    // A wrong file of the client does not end the session: a client with the right one can continue.
    if (digest !== received_prefix_sha256) throw mismatch();
    const found = await compareWithDisk(context, session);
    await followDisk(context, session, found);
    if (found !== 'same') throw mismatch();
    session.prefixProven = true;
  });
}
