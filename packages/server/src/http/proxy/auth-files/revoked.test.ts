import { afterEach, describe, expect, test } from 'bun:test';
import type { AccountScope } from '../../../gateway/claims/claim.ts';
import type { ClaimStore } from '../../../gateway/claims/store.ts';
import { NO_CLAIMS } from '../../../gateway/testing.ts';
import { ADMIN_KEY, startProxy, startRecordingGateway } from '../testing.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const FILES = [
  { id: 'one.json', name: 'one.json', auth_index: 'i1', provider: 'codex', account: 'a@example.test', disabled: true },
  { id: 'two.json', name: 'two.json', auth_index: 'i2', provider: 'codex', account: 'b@example.test' },
];

/** Two accounts in one file. */
const MORE = ['1', '2'].map((n) => ({ id: `child-${n}`, name: 'more.json', auth_index: `m${n}`, provider: 'codex' }));

/** A manager whose gateway answers changes in the given way; records what is revoked and restored. */
function setUp(
  answer: () => Response | Promise<Response>,
  list = () => Response.json({ files: [...FILES, ...MORE] }),
  download = () => new Response('{}'),
) {
  const gateway = startRecordingGateway((request) => {
    if (request.method !== 'GET') return answer();
    return request.url.includes('/download') ? download() : list();
  });
  const revoked: AccountScope[] = [];
  const restored: string[] = [];
  const fileNames = new Set(['one.json', 'two.json', 'more.json']);
  /** Operations of the writer. */
  async function run(name: string, args: { scope: AccountScope } & { unchanged: readonly string[] }) {
    if (name === 'settleManualChange') restored.push(...args.unchanged);
    if (name !== 'beginManualChange') return null;
    revoked.push(args.scope);
    return fileNames.size === 0 ? null : { id: 1, fileNames: [...fileNames], revoked: [] };
  }
  const manager = startProxy({
    upstreamUrl: gateway.url,
    claims: { ...NO_CLAIMS, writer: { run: run as ClaimStore['writer']['run'] } },
  });
  cleanups.push(gateway.stop, manager.stop);
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${manager.url}/v0/management/auth-files${path}`, {
      method,
      headers: { Authorization: `Bearer ${ADMIN_KEY}`, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  const changes = () => gateway.requests.filter(({ method }) => method !== 'GET');
  return { send, revoked, restored, changes, upstream: gateway, fileNames };
}

const ONE = { kind: 'files', fileNames: ['one.json'] };
const CHILD = { kind: 'accounts', accounts: [{ authFileName: 'more.json', authIndex: 'm1' }] };
const CHILDREN = { kind: 'accounts', accounts: [{ authIndex: 'm1' }, { authIndex: 'm2' }] };

const status = { name: 'one.json', disabled: true, cpamp_physical_name: 'one.json' };

describe('a manual change revokes the automation of', () => {
  const ok = () => Response.json({ status: 'ok' });

  test('the account it names', async () => {
    const { send, revoked, changes } = setUp(ok);
    await send('PATCH', '/status', status);
    expect(revoked).toMatchObject([{ kind: 'accounts', accounts: [{ authFileName: 'one.json', authIndex: 'i1' }] }]);
    expect(changes()[0]?.headers.get('accept-encoding')).toBe('identity');
  });

  for (const [what, method, path, body, scope] of [
    ['the file it names', 'PATCH', '/status', { name: 'one.json', disabled: true }, ONE],
    ['the credential it names by its id', 'PATCH', '/status', { name: 'child-1', disabled: true }, CHILD],
    ['all of a file whose name is the id of none', 'PATCH', '/status', { name: 'more.json', disabled: true }, CHILDREN],
    ['everything when it names nobody', 'PATCH', '/status', { disabled: true }, { kind: 'all' }],
    ['everything when it names somebody unknown', 'PATCH', '/status', { name: 'x', disabled: true }, { kind: 'all' }],
    ['the file that the query names', 'DELETE', '?name=one.json', undefined, ONE],
    ['everything that is deleted', 'DELETE', '?all=true', undefined, { kind: 'all' }],
    ['the files it deletes', 'DELETE', '', { names: ['one.json'] }, ONE],
    ['the file of a credential it deletes', 'DELETE', '', { name: 'child-1' }, { fileNames: ['more.json'] }],
    ['the file it writes', 'POST', '?name=two.json', {}, { kind: 'files', fileNames: ['two.json'] }],
    ['the file where fields say disabled', 'PATCH', '/fields', { name: 'one.json', disabled: true }, ONE],
    ['the file where fields say it in capitals', 'PATCH', '/fields', { name: 'one.json', Disabled: true }, ONE],
    [
      'everything when it names two',
      'PATCH',
      '/status',
      { name: 'one.json', Name: 'x', disabled: true },
      { kind: 'all' },
    ],
  ] as const) {
    test(what, async () => {
      const { send, revoked } = setUp(ok);
      await send(method, path, body);
      expect(revoked).toMatchObject([scope]);
    });
  }

  test('everything when the list cannot be read', async () => {
    const { send, revoked, changes } = setUp(ok, () => new Response('no', { status: 500 }));
    await send('PATCH', '/status', { name: 'one.json', disabled: true });
    expect([revoked, changes().length]).toEqual([[{ kind: 'all' }], 1]);
  });

  test('no account when only other fields change', async () => {
    const { send, revoked, changes } = setUp(ok);
    await send('PATCH', '/fields', { name: 'one.json', priority: 3 });
    expect([revoked.length, changes().length]).toEqual([0, 1]);
  });
});

const ALL = ['one.json', 'two.json', 'more.json'];

describe('restored after a failure', () => {
  for (const [what, answer, names] of [
    ['all after a refusal', () => new Response('no', { status: 409 }), ALL],
    ['all after a failure in a good answer', () => Response.json({ ok: false }), ALL],
    ['all when nothing was deleted', () => Response.json({ status: 'ok', deleted: 0 }), ALL],
    ['files that are not among the changed', () => Response.json({ status: 'ok', files: ['one.json'] }), ALL.slice(1)],
    ['files that failed', () => Response.json({ failed: [{ name: 'one.json' }] }), ['one.json']],
    ['nothing after success', () => Response.json({ status: 'ok' }), []],
    ['nothing when the answer says neither', () => new Response('whatever'), []],
  ] as const) {
    test(what, async () => {
      const { send, restored } = setUp(answer);
      await send('DELETE', '?all=true');
      expect(restored).toEqual([...names]);
    });
  }

  test('no deleted file, whatever the gateway answers', async () => {
    let isDone = false;
    const { send, restored } = setUp(
      () => {
        isDone = true;
        return Response.json({ failed: [{ name: 'one.json' }, { name: 'two.json' }] }, { status: 207 });
      },
      () => Response.json({ files: isDone ? FILES.slice(1) : FILES }),
    );
    await send('DELETE', '', { names: ['one.json', 'two.json'] });
    expect(restored).toEqual(['two.json']);
  });

  for (const status of [400, 404, 409, 500, 502, 503, 504]) {
    const answer = () => Response.json({ error: 'no' }, { status });
    for (const [what, body, names] of [
      ['a disable that shows', { name: 'one.json', disabled: true }, []],
      ['a disable that does not show', { name: 'two.json', disabled: true }, ['two.json']],
      ['an enable that does not show', { name: 'one.json', disabled: false }, ['one.json']],
      ['an enable that shows', { name: 'two.json', disabled: false }, []],
      ['a disable that shows in a part of what is named', { name: 'half.json', disabled: true }, []],
      ['a change of which nobody knows what it is', { name: 'one.json', DISABLED: true }, []],
    ] as const) {
      test(`after ${status}: ${what}`, async () => {
        const half = [true, false].map((disabled, n) => ({ id: `half-${n}`, name: 'half.json', disabled }));
        const { send, restored, fileNames } = setUp(answer, () => Response.json({ files: [...FILES, ...half] }));
        fileNames.add('half.json');
        expect((await send('PATCH', '/status', body)).status).toBe(status);
        expect(restored).toEqual(names.map(String));
      });
    }
  }

  test('nothing that the flag shows, while the status word is still the old one', async () => {
    const late = { id: 'one.json', name: 'one.json', auth_index: 'i1', disabled: false, status: 'disabled' };
    const { send, restored } = setUp(
      () => new Response('no', { status: 500 }),
      () => Response.json({ files: [late] }),
    );
    await send('PATCH', '/status', { name: 'one.json', disabled: false });
    expect(restored).toEqual([]);
  });

  test('nothing that a 2xx answer reports as failed but the list shows', async () => {
    const { send, restored } = setUp(() => Response.json({ status: 'error' }));
    await send('PATCH', '/status', status);
    expect(restored).toEqual([]);
  });

  for (const [what, body] of [
    ['names somebody whom nobody knows', { name: 'x', disabled: true }],
    ['does not say what it wants', { name: 'one.json' }],
    ['only the upstream can read', '{"name":"one.json","disabled":true} and more'],
  ] as const) {
    test(`of a request that ${what}: after a refusal those with an unchanged state, after a failure none`, async () => {
      for (const [code, names] of [
        [400, ['one.json', 'more.json']],
        [500, []],
      ] as const) {
        let isDone = false;
        const { send, restored } = setUp(
          () => {
            isDone = true;
            return Response.json({ error: 'no' }, { status: code });
          },
          () => Response.json({ files: [FILES[0], { ...FILES[1], disabled: isDone }, ...MORE] }),
        );
        await send('PATCH', '/status', body);
        expect(restored).toEqual(names.map(String));
      }
    });
  }

  for (const code of [400, 500]) {
    test.each([true, false])(
      `after ${code} to an upload: what has its content still (written: %p)`,
      async (isWritten) => {
        let content = '{"disabled":false}';
        const { send, restored, fileNames } = setUp(
          () => {
            if (isWritten) content = '{"disabled":true}';
            return Response.json({ error: 'no' }, { status: code });
          },
          undefined,
          () => new Response(content),
        );
        fileNames.delete('one.json');
        fileNames.delete('more.json');
        await send('POST', '?name=two.json', { disabled: true });
        expect(restored).toEqual(isWritten ? [] : ['two.json']);
      },
    );
  }

  for (const code of [400, 500, 504]) {
    test(`after ${code}: nothing when the look-up fails too`, async () => {
      let lists = 0;
      const { send, restored } = setUp(
        () => new Response('no', { status: code }),
        () => {
          lists += 1;
          return lists === 1 ? Response.json({ files: FILES }) : new Response('', { status: 500 });
        },
      );
      await send('PATCH', '/status', { ...status, disabled: false });
      expect(restored).toEqual([]);
    });
  }

  test('nothing when the look-up takes too long', async () => {
    let lists = 0;
    const { send, restored } = setUp(
      () => new Response('no', { status: 500 }),
      () => {
        lists += 1;
        return lists === 1 ? Response.json({ files: FILES }) : (new Promise(() => {}) as never);
      },
    );
    await send('PATCH', '/status', { ...status, disabled: false });
    expect(restored).toEqual([]);
  }, 180_000);

  test('nothing when the answer is encoded or too long to read, and it passes unchanged', async () => {
    const long = `{"ok":false,"text":"${'x'.repeat(1024 * 1024)}"}`;
    const { send, restored } = setUp(() => new Response(long));
    expect((await send('DELETE', '?all=true')).text).toBe(long);
    expect(restored).toEqual([]);
  });

  test('nothing when the answer breaks off, which is no error of the manager', async () => {
    const half = () =>
      new ReadableStream({
        async pull(controller) {
          controller.enqueue(new TextEncoder().encode('{"status":'));
          await Bun.sleep(10);
          controller.error(new Error('broken'));
        },
      });
    const { send, restored } = setUp(() => new Response(half()));
    const answer = await send('DELETE', '?all=true');
    expect(answer.status).toBe(502);
    expect(answer.text).toContain('the request may have been carried out');
    expect(restored).toEqual([]);
  });

  test('all when the gateway cannot be reached', async () => {
    const { send, restored, upstream: gateway } = setUp(() => new Response('never'));
    await gateway.stop();
    await send('DELETE', '?all=true');
    expect(restored).toEqual(ALL);
  });

  test('no look-up when nothing was revoked', async () => {
    const { send, fileNames, upstream: gateway } = setUp(() => new Response('no', { status: 500 }));
    fileNames.clear();
    await send('DELETE', '?all=true');
    expect(gateway.requests.filter(({ method }) => method === 'GET')).toEqual([]);
  });
});
