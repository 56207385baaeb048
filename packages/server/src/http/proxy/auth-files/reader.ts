import { AppError } from '@manager/core/contract/errors';
import type { UpstreamConnection } from '../../../config/config.ts';
import { readAuthFileRows } from '../../../upstream/auth-file-rows.ts';
import { decodedBody, NO_ENCODING } from '../../../upstream/decoded-body.ts';
import { HOP_HEADER, readBody } from '../../../upstream/http-call.ts';
import type { ForwardDeps } from '../forward.ts';
import { targetUrl } from '../target.ts';
import type { AuthFileReader } from './mutation.ts';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Fresh reads of the upstream's auth files with the saved key. @throws AppError 502 */
export function createAuthFileReader(deps: ForwardDeps & { readonly connection: UpstreamConnection }): AuthFileReader {
  const read = async (path: string): Promise<Uint8Array> => {
    const url = new URL(targetUrl(deps.connection.baseUrl, `http://manager${path}`));
    const permit = deps.gate.enter(deps.connection);
    if (!permit.open) throw failed(`the upstream refused the saved key: ${permit.detail}`);
    let answer: Response;
    try {
      await deps.dialer.ensure(url);
      answer = await fetch(url, {
        headers: {
          ...NO_ENCODING,
          Authorization: `Bearer ${deps.connection.managementKey}`,
          [HOP_HEADER]: deps.instanceId,
        },
        redirect: 'error',
        decompress: false,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (cause) {
      permit.report('unknown');
      throw failed('the auth files cannot be read from the upstream', cause);
    }
    permit.report(answer.ok ? 'accepted' : answer.status === 401 || answer.status === 403 ? 'refused' : 'unknown');
    if (answer.status === 404) throw new AppError('request_failed', { status: 404, message: 'no such auth file' });
    if (!answer.ok || answer.body === null)
      throw failed(`the upstream answered ${answer.status} to a read of its auth files`);
    return readBody({ chunks: decodedBody(answer) }, MAX_BYTES).catch((cause: unknown) => {
      throw failed('the auth files cannot be read from the upstream', cause);
    });
  };

  return {
    async list() {
      const bytes = await read('/v0/management/auth-files');
      try {
        return readAuthFileRows(JSON.parse(new TextDecoder().decode(bytes)));
      } catch (cause) {
        throw failed('the list of auth files cannot be read', cause);
      }
    },
    download: (name) => read(`/v0/management/auth-files/download?name=${encodeURIComponent(name)}`),
  };
}

function failed(message: string, cause?: unknown): AppError {
  return new AppError('request_failed', { status: 502, message, cause });
}
