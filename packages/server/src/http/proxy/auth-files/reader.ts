import { AppError } from '@manager/core/contract/errors';
import type { AccountClient } from '../../../gateway/accounts/client.ts';
import { GatewayError } from '../../../gateway/errors.ts';
import type { AuthFileReader } from './plan.ts';

/** Fresh reads of the gateway's auth files for a pending change. @throws AppError 404, 412, 502 */
export function createAuthFileReader(client: Pick<AccountClient, 'list' | 'download'>): AuthFileReader {
  return {
    list: () => explained(() => client.list()),
    download: (name) => explained(() => client.download(name)),
  };
}

async function explained<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (!(cause instanceof GatewayError)) throw cause;
    if (cause.status === 404) throw new AppError('auth_file_not_found', { cause });
    throw new AppError('auth_files_unreadable', {
      message: `the auth files cannot be read: ${cause.message}`,
      cause,
    });
  }
}
