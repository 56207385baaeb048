import { clientKeyId, unknownKeyId } from '../../../../facts/answers/identity.ts';
import { IDENTITY_COLUMNS, identityOf } from '../../../../facts/answers/identity-columns.ts';
import type { Dimension } from '../../../../facts/kernels/dimensions.ts';
import type { SelectedRows } from '../../../../facts/rows.ts';
import type { SymbolTable } from '../../../../facts/symbols.ts';

/**
 * The client key of a request; without one, the account. Values are the symbol of the key, or 0 and the symbols of the
 * identity.
 */
export function keyDimension(symbols: SymbolTable): Dimension {
  return {
    key: 'client key or identity',
    columns: ['api_key_hash', ...IDENTITY_COLUMNS],
    codes(rows) {
      const keys = rows.codes(['api_key_hash']);
      const keySymbols = keys.symbols[0] ?? new Uint32Array(0);
      const blank = Uint8Array.from(keySymbols, (symbol) => (symbols.isBlank(symbol) ? 1 : 0));
      const valueOfKey = (code: number) => [keySymbols[code] ?? 0];
      if (!blank.includes(1)) return { count: keys.count, codes: keys.codes, valueOf: valueOfKey, nameOf: keys.nameOf };
      const identities = rows.codes(IDENTITY_COLUMNS);
      return {
        count: keys.count + identities.count,
        codes: codesWithIdentities(rows, keys.codes, blank, identities.codes),
        valueOf: (code) =>
          code < keys.count
            ? valueOfKey(code)
            : [0, ...identities.symbols.map((column) => column[code - keys.count] ?? 0)],
        nameOf: (code) => (code < keys.count ? keys.nameOf(code) : `0,${identities.nameOf(code - keys.count)}`),
      };
    },
  };
}

/** Codes of keys come first, those of identities follow. */
function codesWithIdentities(
  rows: SelectedRows,
  keys: Uint32Array,
  blank: Uint8Array,
  identities: Uint32Array,
): Uint32Array {
  const codes = rows.workspace.words('client key or identity', rows.chunk.rowCount);
  for (let index = 0; index < rows.count; index++) {
    const key = keys[index] ?? 0;
    codes[index] = blank[key] === 1 ? blank.length + (identities[index] ?? 0) : key;
  }
  return codes;
}

/** Group id of a value of the dimension. */
export function keyIdOf([key = 0, ...identity]: readonly number[], symbols: SymbolTable): string {
  return clientKeyId(symbols.text(key)) ?? unknownKeyId(identityOf(identity, symbols));
}
