import {
  EXPORT_DELETED_HEADER,
  EXPORT_ROWS_HEADER,
  EXPORT_TYPES,
  REQUEST_EXPORT_PATH,
} from '@manager/core/contract/constants';
import type { ExportFormat, RequestExport } from '@manager/core/contract/monitoring/request-export';
import type { Client } from '../../../platform/api/client.ts';
import { copyLines, orDisk, SaveFailure } from '../../../platform/browser/copy-lines.ts';
import type { ExportSink } from '../../../platform/browser/file-sink.ts';

/** Until the first byte: a filter over a long history is counted first, ms. */
const START_TIMEOUT_MS = 60_000;

export interface SaveProgress {
  readonly rows: number;
  readonly of: number;
}

export interface SavedRequests {
  readonly rows: number;
  /** Requests whose details were deleted, which are not in the file. */
  readonly deleted: number;
}

/**
 * Writes the manager's answer to a file as it comes. The file is discarded whatever fails, also the request before it is sent.
 * @throws ApiError, SaveFailure or what `buildRequest` throws; then there is no file
 */
export async function saveRequests(options: {
  readonly client: Pick<Client, 'open'>;
  readonly buildRequest: () => Promise<RequestExport & { readonly format: ExportFormat }>;
  readonly sink: ExportSink;
  readonly name: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: SaveProgress) => void;
}): Promise<SavedRequests> {
  const { client, buildRequest, sink, name, signal, onProgress } = options;
  let response: Response | undefined;
  try {
    const request = await buildRequest();
    response = await client.open(REQUEST_EXPORT_PATH, {
      method: 'POST',
      body: request,
      headers: { Accept: `${EXPORT_TYPES[request.format]}, application/json` },
      timeoutMs: START_TIMEOUT_MS,
      signal,
    });
    const of = numberIn(response.headers, EXPORT_ROWS_HEADER);
    const deleted = numberIn(response.headers, EXPORT_DELETED_HEADER);
    // The head of a table is no row.
    let rows = request.format === 'csv' ? -1 : 0;
    const onPiece = (_: number, lines: number) => {
      rows += lines;
      onProgress({ rows: Math.min(Math.max(rows, 0), of), of });
    };
    await copyLines({ response, sink, signal, onPiece });
    // A text in a table may have line breaks of its own.
    if (request.format === 'csv' ? rows < of : rows !== of) {
      throw new SaveFailure('cut', new Error(`${rows} of ${of} requests arrived`));
    }
    await orDisk(sink.close(name));
    return { rows: of, deleted };
  } catch (error) {
    // The copy has already canceled what it was reading.
    if (response?.body?.locked === false) await response.body.cancel().catch(() => {});
    await sink.discard().catch(() => {});
    throw error;
  }
}

function numberIn(headers: Headers, name: string): number {
  const value = Number(headers.get(name) ?? Number.NaN);
  if (!Number.isInteger(value)) throw new Error('the answer is no export');
  return value;
}
