import { AppError } from '@manager/core/contract/errors';
import type { VerifiedFile } from '../../../../platform/files/verified-file.ts';
import { stopPoint } from '../../../../platform/stop-point.ts';
import { readPieces } from './body-pieces.ts';
import { digestOf, hashMore } from './prefix-digest.ts';
import { compareWithDisk, followDisk, lossOf } from './received-bytes.ts';
import { parseSha256 } from './record.ts';
import {
  answerable,
  conflict,
  type ImportSession,
  invalidRequest,
  mismatch,
  resized,
  type SessionContext,
  SessionStopped,
  tooLarge,
  update,
} from './session.ts';

export interface ChunkRequest {
  readonly offset: number;
  /** As sent: SHA-256 of the client's bytes before the offset. Clients that never stopped may leave it out. */
  readonly prefixSha256: string | null;
  /** Declared bytes, null = not declared. */
  readonly contentLength: number | null;
  readonly body: ReadableStream<Uint8Array> | null;
  /** Aborts with the connection. */
  readonly signal: AbortSignal;
}

export interface ChunkContext extends SessionContext {
  /** A client that is silent for this long is disconnected: it blocks its own next try. */
  readonly stallMs: number;
}

/**
 * The garbage collector counts bodies late: without a hint, those of a long upload pile up to 100 MB before it runs.
 */
const HEAVY_CHUNK_BYTES = 1024 * 1024;

/** Appends a chunk: on disk, with matching metadata, before it returns; completely or not at all. */
export async function receiveChunk(
  context: ChunkContext,
  session: ImportSession,
  request: ChunkRequest,
): Promise<void> {
  if (session.chunk !== null) throw conflict('another chunk of this import session is being received');
  const abort = new AbortController();
  session.chunk = abort;
  try {
    await session.steps.run(() => append(context, session, request, abort.signal));
  } catch (error) {
    if (error instanceof SessionStopped) throw error.toAnswer();
    throw answerable(error);
  } finally {
    session.chunk = null;
  }
}

async function append(
  context: ChunkContext,
  session: ImportSession,
  request: ChunkRequest,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (session.cutPending) await cutRest(context, session);
  const { id, received_bytes } = session.record;
  const allowed = await checkRequest(context, session, request);
  await using part = await openAt(context, session);
  try {
    // The check has made sure that a running digest exists.
    const hasher = session.hasher?.copy() ?? new Bun.CryptoHasher('sha256');
    const received = await write({ context, part, request, allowed, hasher, signal });
    await part.handle.sync();
    stopPoint('import_chunk_synced');
    const end = received_bytes + received;
    await update(
      context,
      session,
      ({ size_bytes }) => ({
        received_bytes: end,
        received_prefix_sha256: digestOf(hasher),
        status: end === size_bytes ? 'ready' : 'uploading',
      }),
      { beforeRename: () => stopPoint('import_chunk_metadata_written') },
    );
    session.hasher = hasher;
    session.prefixProven = true;
    if (received >= HEAVY_CHUNK_BYTES) Bun.gc(false);
    stopPoint('import_chunk_recorded');
  } catch (error) {
    session.prefixProven = false;
    await part.handle.truncate(received_bytes).catch((cause: unknown) => {
      session.cutPending = true;
      context.log.warn({ err: cause, id }, 'the rest of a chunk cannot be truncated; retrying before the next chunk');
    });
    throw error;
  }
}

async function cutRest({ files }: ChunkContext, session: ImportSession): Promise<void> {
  await using part = await files.openPart(session.record.id, { write: true });
  await part.handle.truncate(session.record.received_bytes);
  session.cutPending = false;
}

/** Allowed bytes of the chunk. */
async function checkRequest(context: ChunkContext, session: ImportSession, request: ChunkRequest): Promise<number> {
  const { status, received_bytes, chunk_size_bytes, size_bytes } = session.record;
  const { offset, contentLength } = request;
  if (status !== 'uploading') throw conflict(`the import session is ${status}; ${received_bytes} bytes were received`);
  if (offset !== received_bytes) throw conflict(`expected offset ${received_bytes}`);
  if (offset > 0 && !provesPrefix(session, request.prefixSha256)) throw mismatch();
  // Without a running digest, as after a restart, the bytes on disk must match the client's.
  if (session.hasher === null) {
    const found = await compareWithDisk(context, session);
    await followDisk(context, session, found);
    if (found === 'resized') throw resized();
    if (found !== 'same') throw mismatch();
  }
  const allowed = Math.min(chunk_size_bytes, size_bytes - received_bytes);
  if (contentLength === 0) throw invalidRequest('the chunk is empty');
  if (contentLength !== null && contentLength > allowed) throw tooLarge(`the chunk is larger than ${allowed} bytes`);
  return allowed;
}

/** A digest decides alone; without one, earlier requests must have proven that it is the same file. */
function provesPrefix({ record, prefixProven }: ImportSession, sent: string | null): boolean {
  return sent === null ? prefixProven : parseSha256(sent) === record.received_prefix_sha256;
}

async function openAt(context: ChunkContext, session: ImportSession): Promise<VerifiedFile> {
  const { id, received_bytes } = session.record;
  try {
    const part = await context.files.openPart(id, { write: true });
    if (part.size === received_bytes) return part;
    await part.close();
  } catch (error) {
    const found = lossOf(error);
    if (found === null) throw error;
    await followDisk(context, session, found);
    throw found === 'changed' ? mismatch() : resized();
  }
  await followDisk(context, session, 'resized');
  throw resized();
}

interface Write {
  readonly context: ChunkContext;
  readonly part: VerifiedFile;
  readonly request: ChunkRequest;
  readonly allowed: number;
  readonly hasher: Bun.CryptoHasher;
  readonly signal: AbortSignal;
}

/** Returns the written bytes. */
async function write({ context, part, request, allowed, hasher, signal }: Write): Promise<number> {
  const { offset, contentLength, body } = request;
  if (body === null) throw invalidRequest('the chunk is empty');
  const signals = [signal, request.signal];
  let received = 0;
  for await (const piece of readPieces(body, { signals, stallMs: context.stallMs })) {
    if (received + piece.length > allowed) throw tooLarge(`the chunk is larger than ${allowed} bytes`);
    await writeAll(part, piece, offset + received);
    await hashMore(hasher, piece);
    received += piece.length;
    stopPoint('import_chunk_part_written');
  }
  if (received === 0) throw invalidRequest('the chunk is empty');
  if (contentLength !== null && received !== contentLength)
    throw invalidRequest('the chunk has a different length than declared');
  return received;
}

async function writeAll(part: VerifiedFile, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await part.handle.write(bytes, done, bytes.length - done, position + done);
    // A write of 0 bytes without an error would loop forever.
    if (bytesWritten === 0) throw new AppError('usage_import_session_unavailable');
    done += bytesWritten;
  }
}
