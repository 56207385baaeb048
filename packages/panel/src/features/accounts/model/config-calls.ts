import type { Account } from '../../../platform/accounts/account.ts';
import { changeFields, downloadFile } from '../../../platform/accounts/account-calls.ts';
import type { Client } from '../../../platform/api/client.ts';
import { ApiError } from '../../../platform/api/errors.ts';
import { type ConfigField, readConfig } from './config-form.ts';
import type { SaveCalls } from './save-config.ts';

/** Reads and writes fields of the file of an account. */
export function configCalls(client: Client, account: Account, fields: readonly ConfigField[]): SaveCalls {
  const { name } = account.listed;
  return {
    file: name,
    read: async () => {
      const values = readConfig(await downloadFile(client, name), fields);
      if (values !== null) return values;
      throw new ApiError('shape', 'the file is not a JSON object', { path: name, atMs: client.now() });
    },
    write: (changes) => changeFields(client, account, changes),
  };
}
