import { AppError } from '@manager/core/contract/errors';

/**
 * The body of a request, which fails with 413 once it is longer than the limit: a declared length may be missing or wrong.
 *
 * @throws AppError 413 at once when the declared length is too large.
 */
export function limitBody(request: Request, limitBytes: number): ReadableStream<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) throw tooLarge(limitBytes);
  if (request.body === null) return new Blob().stream();
  let size = 0;
  return request.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length;
        if (size > limitBytes) throw tooLarge(limitBytes);
        controller.enqueue(chunk);
      },
    }),
  );
}

function tooLarge(limitBytes: number): AppError {
  return new AppError('import_file_too_large', {
    message: `the file is larger than ${limitBytes} bytes; use an import session`,
  });
}
