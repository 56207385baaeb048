import { expect, test } from 'bun:test';
import { CODE_EDITOR_PATH } from '@manager/core/contract/constants';
import { sha256Hex } from '../sha256.ts';
import { loadPartFile } from './part-file.ts';

const SCRIPT = 'export const createCodeEditor = () => null;';
const module = { createCodeEditor: () => null };

async function load(answer: () => Response | Promise<Response>, digest?: string) {
  const asked: string[] = [];
  const ran: string[] = [];
  const loaded = await loadPartFile({
    page: 'http://manager.test/sub/',
    path: CODE_EDITOR_PATH,
    digest: digest ?? (await sha256Hex(SCRIPT)),
    fetch: async (address) => {
      asked.push(address.href.replace(/[0-9a-f]{64}/, 'DIGEST'));
      return answer();
    },
    run: async (address) => {
      ran.push(address);
      return module;
    },
  });
  return { loaded, asked, ran };
}

test('the file with the digest of the page runs from a blob', async () => {
  const { loaded, asked, ran } = await load(() => new Response(SCRIPT));
  expect(loaded as unknown).toBe(module);
  expect(asked).toEqual(['http://manager.test/sub/usage-service/code-editor.js?digest=DIGEST']);
  expect(ran[0]).toStartWith('blob:');
});

test.each([
  ['another file', () => new Response(`${SCRIPT} `)],
  ['an answer of a proxy', () => new Response(SCRIPT, { status: 404 })],
  ['no answer', () => Promise.reject(new Error('gone'))],
])('%s does not run', async (_, answer) => {
  const { loaded, ran } = await load(answer as () => Response);
  expect([loaded, ran]).toEqual([null, []]);
});

test('a page that was built without it asks for nothing', async () => {
  expect((await load(() => new Response(SCRIPT), '')).asked).toEqual([]);
});
