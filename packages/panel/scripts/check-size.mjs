// Fails when the built page is heavier than the budget: it is one file that every visit may have to load.
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';

const RAW_LIMIT = 1_800_000;
const BROTLI_LIMIT = 450_000;

const page = readFileSync(new URL('../dist/management.html', import.meta.url));
const packed = brotliCompressSync(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
const kib = (bytes) => `${(bytes / 1024).toFixed(0)} KiB`;
console.log(
  `management.html: ${kib(page.length)} of ${kib(RAW_LIMIT)}, brotli ${kib(packed.length)} of ${kib(BROTLI_LIMIT)}`,
);
if (page.length > RAW_LIMIT || packed.length > BROTLI_LIMIT) {
  console.error('management.html is over its budget');
  process.exit(1);
}
