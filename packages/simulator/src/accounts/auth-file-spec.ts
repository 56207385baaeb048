import type { JsonObject } from '../json.ts';
import type { AccountSpec } from './account-types.ts';

export interface AuthFileSpec {
  /** File name, ends in `.json`. */
  readonly name: string;
  readonly type: string;
  /** Default: the file name. */
  readonly id?: string;
  readonly email?: string;
  readonly label?: string;
  readonly projectId?: string;
  readonly disabled?: boolean;
  /** A row expanded by a plugin: cannot be changed alone (409). */
  readonly virtual?: boolean;
  /** Default: computed from type and path. */
  readonly authIndex?: string;
  /** Members of the list row that override the computed ones, for example `status` or `id_token`. */
  readonly row?: JsonObject;
  /** Content of the file; default: a small synthetic auth file. */
  readonly content?: JsonObject;
  /** The provider account that answers its api-calls; default: the table of `addApiCall`. */
  readonly account?: AccountSpec;
}
