import { expect, test } from 'bun:test';
import { isExact } from '../../platform/browser/address.ts';
import { readTransferSearch, TRANSFER_ADDRESS, writeTransferSearch } from './transfer-search.ts';

const ID = '0197f0c4e5a07c3fb1d2a3b4c5d6e7f8';

test('filter and open import stand in the address and come back from it', () => {
  const search = { status: 'failed', session: ID };
  const written = writeTransferSearch(search, { lang: ['x'] });
  expect(written).toEqual({ lang: ['x'], status: ['failed'], session: [ID] });
  expect(readTransferSearch(written)).toEqual(search);
  expect(isExact(TRANSFER_ADDRESS, written)).toBe(true);
});

test('defaults are not written', () => {
  expect(writeTransferSearch({ status: '', session: '' }, { status: ['failed'], session: [ID] })).toEqual({});
});

test.each([[{ status: ['no such; state'] }], [{ session: ['../../etc'] }], [{ status: ['failed', 'ready'] }]])(
  'an address that means nothing is put right: %p',
  (search) => {
    expect(isExact(TRANSFER_ADDRESS, search)).toBe(false);
    expect(isExact(TRANSFER_ADDRESS, writeTransferSearch(readTransferSearch(search), search))).toBe(true);
  },
);
