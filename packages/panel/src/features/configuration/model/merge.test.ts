import { describe, expect, test } from 'bun:test';
import { readFragment } from './fragment.ts';
import { mergeDraft } from './merge.ts';
import { reviewChange } from './review.ts';
import { holdsSecret } from './secrets.ts';
import { summarize } from './summary.ts';

const BASE = 'port: 1\ndebug: false # c\nremote-management:\n  secret-key: hashed-key\napi-keys: [client-key-1]\n';
const edit = (path: string, value: unknown) => ({ path: path.split('.'), value: value as never });

describe('a draft', () => {
  const draft = { base: BASE, text: BASE, edits: [edit('debug', true), edit('request-retry', 3)] };

  test('of nothing is the same text', () => {
    expect(mergeDraft({ ...draft, edits: [] }, BASE)).toEqual({ ok: true, text: BASE, conflicts: [] });
    expect(mergeDraft({ ...draft, edits: [] }, `${BASE}x: 1\n`)).toMatchObject({
      text: `${BASE}x: 1\n`,
      conflicts: [],
    });
  });

  test('of fields goes onto whatever the text has become', () => {
    const latest = `# rewritten\n${BASE.replace('port: 1', 'port:   2')}`;
    const merged = mergeDraft(draft, latest);
    expect(merged).toMatchObject({ conflicts: [], text: `${latest.replace('false', 'true')}request-retry: 3\n` });
  });

  test('asks about a field that both changed, and not where both agree', () => {
    const latest = `${BASE}request-retry: 5\n`.replace('debug: false', 'debug: true');
    const merged = mergeDraft(draft, latest);
    expect(merged).toMatchObject({ conflicts: [{ kind: 'field', id: 'request-retry', mine: 3, theirs: 5 }] });
    expect(mergeDraft(draft, latest, ['theirs'])).toMatchObject({ text: latest });
    expect(mergeDraft(draft, latest, ['mine'])).toMatchObject({ text: latest.replace('retry: 5', 'retry: 3') });
  });

  test('of typed lines and fields is merged by lines', () => {
    const typed = { ...draft, text: `${BASE}# mine\n` };
    const merged = mergeDraft(typed, BASE.replace('port: 1', 'port: 2'));
    expect(merged).toMatchObject({
      conflicts: [],
      text: `${BASE.replace('port: 1', 'port: 2').replace('false', 'true')}request-retry: 3\n# mine\n`,
    });
    expect(mergeDraft(typed, BASE.replace('debug: false', 'debug: no'))).toMatchObject({
      conflicts: [{ kind: 'lines', line: 2, mine: 'debug: true # c\n', theirs: 'debug: no # c\n' }],
    });
  });
});

describe('a review', () => {
  const review = (after: string, pollSeconds: number | null = 2) => reviewChange(BASE, after, pollSeconds);

  test.each([
    ['port: 1', 'port: 2', ['address']],
    ['port: 1', 'port: 1\nhost: 127.0.0.1', ['address']],
    ['port: 1', 'port: 1\nhost: ""', []],
    ['port: 1', 'port: 1\ntls: {enable: true}', ['tls']],
    ['hashed-key', 'another-key', ['secretKey']],
    ['port: 1', 'port: 1\nauth-dir: /x', ['authDir']],
    ['  secret', '  disable-control-panel: yes\n  secret', ['controlPanel']],
    ['[client-key-1]', '[]', ['noClientKeys']],
    ['port: 1', 'port: 1\nws-auth: false', ['wsAuth']],
    ['port: 1', 'port: 1\nredis-usage-queue-retention-seconds: 2', ['retention']],
    ['port: 1', 'port: 1\nredis-usage-queue-retention-seconds: 30', []],
    ['debug: false', 'debug: true', []],
  ])('of %j as %j warns: %p', (from, to, warnings) => {
    expect(review(BASE.replace(from, to))).toMatchObject({ warnings, refusals: [], problems: [] } as never);
  });

  test('warns that collection stops, and that only the host of the gateway gets in', () => {
    const on = `${BASE}usage-statistics-enabled: true\n`.replace('  secret', '  allow-remote: true\n  secret');
    const off = on.replaceAll('true', 'false');
    expect(reviewChange(on, off, null).warnings).toEqual(['allowRemote', 'publishing']);
  });

  test('refuses what locks everybody out', () => {
    expect(review('# nothing\n').refusals).toEqual(['empty']);
    expect(review('port: 1\n').refusals).toEqual(['noSecretKey']);
    expect(reviewChange('port: 1\n', 'port: 2\n', null).refusals).toEqual([]);
    expect(review('a: [').problems).toHaveLength(1);
  });

  test('shows the lines around a change, and which texts are secret', () => {
    const { difference, secrets } = review(BASE.replace('debug: false', 'debug: true'));
    expect(difference).toMatchObject({ added: 1, removed: 1, hidden: 0 });
    expect(difference.hunks[0]?.lines.map(({ kind }) => kind[0]).join('')).toBe('srasss');
    expect(secrets).toEqual(['client-key-1', 'hashed-key']);
  });

  test('of thousands of lines shows the first', () => {
    const { difference } = review(`${BASE}${'# x\n'.repeat(5_000)}`);
    expect(difference).toMatchObject({ added: 5_000, hidden: 4_403 });
  });
});

test('the summary has every field, and counts what other pages edit', () => {
  const summarized = summarize(
    `${BASE}codex-api-key:\n  - api-key: a\n  - api-key: b\nport-x: 1\nrequest-retry: "3"\n`,
  );
  expect(summarized).toMatchObject({ ok: true, summary: { clientKeys: 1, providers: 2, modelRules: 0 } });
  if (!summarized.ok) return;
  const { fields } = summarized.summary;
  expect(fields.port).toEqual({ state: 'set', value: 1 });
  expect(fields['request-retry']).toEqual({ state: 'invalid', value: '3' });
  expect(fields.host).toEqual({ state: 'unset' });
});

test.each([
  ['proxy-url', 'socks5://me:word@proxy.test:1080', true],
  ['proxy-url', 'http://proxy.test:8080/a@b', false],
  ['plugins.store-auth', { 'store.test': 'a-token-of-mine' }, true],
  ['plugins.store-auth', {}, false],
  ['codex.live-media-relay', { 'ice-servers': [{ urls: ['stun:a'], credential: 'long-enough' }] }, true],
  ['plugins.configs', { simplugin: { enabled: true, mode: 'a long word' } }, false],
] as const)('%s of %j holds a secret: %p', (id, value, secret) => {
  expect(holdsSecret(id, value as never)).toBe(secret);
});

test('a part that is edited as YAML keeps the types of its values', () => {
  expect(readFragment('- a: "1"\n  b: 1\n')).toEqual({ ok: true, value: [{ a: '1', b: 1 }] });
  expect(readFragment(' \n')).toEqual({ ok: true, value: undefined });
  expect(readFragment('a: 1\nb: [')).toMatchObject({ ok: false, line: 2 });
});
