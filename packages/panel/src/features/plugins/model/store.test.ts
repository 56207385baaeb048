import { expect, test } from 'bun:test';
import { findOffers, readStore, updateOf } from './store.ts';

const OFFICIAL = 'https://raw.githubusercontent.com/router-for-me/CLIProxyAPI-Plugins-Store/main/registry.json';
const offer = (change: object = {}) => ({
  store_id: 'official/echo',
  source_id: 'official',
  source_name: 'Official',
  source_url: OFFICIAL,
  id: 'echo',
  name: 'Echo',
  description: 'Answers what was sent',
  version: '1.1.0',
  installed: true,
  installed_version: '1.0.0',
  installed_source_id: 'official',
  update_available: true,
  ...change,
});
const copy = { store_id: 'official2/echo', source_id: 'official2', source_url: 'https://evil.test/registry.json' };

test('a source is official by its address, whatever it calls itself', () => {
  const { plugins } = readStore({}, [offer(), offer({ ...copy, source_id: 'official' })]);
  expect(plugins.map(({ official }) => official)).toEqual([true, false]);
});

test('an update counts from the source a plugin was installed from', () => {
  const other = offer({ ...copy, version: '9.0.0' });
  const store = readStore({}, [other, offer()]);
  expect(store.plugins.map(({ otherSource }) => otherSource)).toEqual([true, false]);
  expect(updateOf(store, 'echo')).toBe('1.1.0');
  expect(updateOf(readStore({}, [offer({ update_available: false })]), 'echo')).toBe('');
  expect(updateOf(undefined, 'echo')).toBe('');
});

test('sources that failed are named, and access that is missing', () => {
  const failed = { source_id: 'x', source_name: '', source_url: 'https://x.test', message: 'no &lt;route&gt;' };
  const store = readStore({ source_errors: [failed] }, [offer({ auth_required: true })]);
  expect(store.errors).toEqual([{ source: 'x', message: 'no <route>' }]);
  expect(store.plugins[0]?.lacksAccess).toBe(true);
});

test('an address of a source shows no password, and a source without a name is typed by its address', () => {
  const source_url = 'https://me:pass-word-1@other.test/registry.json';
  const failed = { source_url, message: `request ${source_url} failed` };
  const store = readStore({ source_errors: [failed] }, [offer({ source_url, source_id: '', source_name: ' ' })]);
  expect(JSON.stringify(store)).not.toContain('pass-word');
  const [one] = store.plugins;
  expect(one?.sourceUrl).toContain('other.test/registry.json');
  expect(one?.sourceName).toBe(one?.sourceUrl ?? '');
});

test('the search looks for every word', () => {
  const { plugins } = readStore({}, [offer(), offer({ id: 'other', name: 'Other' })]);
  expect(findOffers(plugins, ' answers ECHO ').map(({ id }) => id)).toEqual(['echo']);
  expect(findOffers(plugins, '')).toHaveLength(2);
});
