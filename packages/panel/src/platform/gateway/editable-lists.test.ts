import { expect, test } from 'bun:test';
import { RULE_KINDS } from '../../features/model-rules/model/rules.ts';
import { rulesOf } from '../../features/model-rules/rule-calls.ts';
import { editablePlugins, editableSettings } from '../../features/plugins/plugin-calls.ts';
import type { Client } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { isRecord } from '../browser/storage.ts';
import { type EditableList, editList } from './list-edits.ts';
import { KINDS } from './providers/kinds.ts';
import { providerList } from './providers/provider-list.ts';

type Body = Record<string, unknown>;
/** When the gateway dies: it has written or not, and stays dead or not. */
interface Death {
  readonly written: boolean;
  readonly forGood: boolean;
}

/** A gateway that answers each list by its endpoints. */
function gatewayOf(start: Body) {
  const stored: Body = structuredClone(start);
  let death: Death | null = null;
  let isDead = false;
  const write = (path: string, method: string, body: unknown) => {
    const [name = '', query = ''] = path.replace('v0/management/', '').split('?');
    const plugin = /^plugins\/echo\/(enabled|config)$/.exec(name)?.[1];
    const map = stored[name];
    if (plugin === 'config') stored.config = body;
    else if (plugin === 'enabled') stored.plugins = [{ id: 'echo', ...(body as Body) }];
    else if (method === 'PUT') stored[name] = body;
    else if (isRecord(map)) {
      const { provider, channel, ...rest } = (body ?? {}) as Body;
      const owner = String(provider ?? channel ?? new URLSearchParams(query).values().next().value);
      const { [owner]: _, ...others } = map;
      stored[name] = method === 'DELETE' ? others : { ...others, [owner]: Object.values(rest)[0] };
    }
  };
  const client: Partial<Client> = {
    now: () => 0,
    call: async <T>(path: string, options: { method?: string; body?: unknown } = {}) => {
      const broken = new ApiError('network', 'gone', { path, atMs: 0 });
      if (isDead) throw broken;
      const { method = 'GET', body } = options;
      const name = path.replace('v0/management/', '');
      if (method === 'GET') return structuredClone(name.endsWith('/config') ? stored.config : stored) as T;
      if (death === null || death.written) write(path, method, structuredClone(body));
      if (death === null) return {} as T;
      isDead = death.forGood;
      death = null;
      throw broken;
    },
  };
  return {
    client: client as Client,
    dies: (next: Death) => {
      death = next;
    },
  };
}

interface Case<E> {
  readonly name: string;
  readonly start: Body;
  readonly list: (client: Client) => EditableList<E>;
  readonly base: E;
  readonly mine: E;
  /** Another change of the same member. */
  readonly theirs: E;
}

const single = <E>(one: Case<E>): Case<unknown> => one as Case<unknown>;

const CASES: readonly Case<unknown>[] = [
  ...KINDS.map((kind) => {
    const base = { 'api-key': 'k', 'base-url': 'https://a.test', ...(kind.id === 'openai' ? { name: 'north' } : {}) };
    return single({
      name: kind.list,
      start: { [kind.list]: [{ ...base, 'auth-index': 'x', later: 1 }] },
      list: (client) => providerList(client, kind),
      base,
      mine: { ...base, priority: 2 },
      theirs: { ...base, priority: 7 },
    });
  }),
  ...RULE_KINDS.map((kind) => {
    const name = rulesOf({} as Client, kind, 'claude').name;
    return single({
      name,
      start: { [name]: { claude: ['seen'], codex: ['kept'] } },
      list: (client) => rulesOf(client, kind, 'claude'),
      base: { channel: 'claude', rules: ['seen'] },
      mine: { channel: 'claude', rules: ['seen', 'mine'] },
      theirs: { channel: 'claude', rules: [] },
    });
  }),
  single({
    name: 'settings of a plugin',
    start: { config: { enabled: true, mode: 'a' } },
    list: (client) => editableSettings(client, 'echo'),
    base: { mode: 'a' },
    mine: { mode: 'b' },
    theirs: { mode: 'c' },
  }),
];

test.each(CASES.map((one) => [one.name, one] as const))(
  'of two tabs on %s the second is refused with a choice',
  async (_, one) => {
    const { client } = gatewayOf(one.start);
    const list = one.list(client);
    const change = (entry: unknown) => ({ kind: 'change', base: one.base, entry }) as const;
    const outcomes = await Promise.all([editList(list, change(one.theirs)), editList(list, change(one.mine))]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'conflict']);
    expect((await editList(list, change(one.mine), { overrule: true })).kind).toBe('done');
    expect(await editList(list, change(one.mine))).toEqual({ kind: 'same' });
  },
);

test.each(CASES.map((one) => [one.name, one] as const))(
  'where the gateway dies in a save of %s, what is known is said',
  async (_, one) => {
    const save = async (death: Death) => {
      const { client, dies } = gatewayOf(one.start);
      dies(death);
      const edit = { kind: 'change', base: one.base, entry: one.mine } as const;
      return editList(one.list(client), edit).then(
        ({ kind }) => kind,
        () => 'not written',
      );
    };
    expect(await save({ written: true, forGood: false })).toBe('done');
    expect(await save({ written: false, forGood: false })).toBe('not written');
    expect(await save({ written: true, forGood: true })).toBe('unknown');
  },
);

test('a plugin is switched once by two tabs, and a lost answer is decided by the list', async () => {
  const gateway = gatewayOf({ plugins: [{ id: 'echo', enabled: false }] });
  const list = editablePlugins(gateway.client);
  const [base] = await list.read();
  if (base === undefined) throw new Error('no plugin');
  const edit = { kind: 'change', base, entry: { ...base, enabled: true } } as const;
  gateway.dies({ written: true, forGood: false });
  const outcomes = await Promise.all([editList(list, edit), editList(list, edit)]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'same']);
  gateway.dies({ written: false, forGood: false });
  await expect(editList(list, { ...edit, base: edit.entry, entry: base })).rejects.toThrow('gone');
  gateway.dies({ written: true, forGood: true });
  expect((await editList(list, { ...edit, base: edit.entry, entry: base })).kind).toBe('unknown');
});
