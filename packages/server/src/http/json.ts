/** Answers contain live state behind a key, so nothing may cache them. */
const HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** A JSON answer of the manager. */
export function jsonResponse(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  const body = Buffer.from(JSON.stringify(value));
  return new Response(body, { status, headers: { ...HEADERS, ...headers, 'Content-Length': String(body.length) } });
}

/** An answer that is already JSON text. */
export function jsonBytes(body: Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array<ArrayBuffer>>): Response {
  if (body instanceof ReadableStream) return new Response(body, { headers: HEADERS });
  const length = body instanceof Blob ? body.size : body.byteLength;
  return new Response(body, { headers: { ...HEADERS, 'Content-Length': String(length) } });
}
