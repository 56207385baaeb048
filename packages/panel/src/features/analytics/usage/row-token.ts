import { sha256HexSync } from '../../../platform/sha256.ts';

/** Ids of accounts can be file names or sources with an e-mail address, which must not appear in the address bar. */
export const rowToken = (id: string): string => sha256HexSync(id).slice(0, 16);
