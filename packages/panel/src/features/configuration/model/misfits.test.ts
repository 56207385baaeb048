import { expect, test } from 'bun:test';
import { misfitsOf } from './misfits.ts';
import { reviewChange } from './review.ts';
import { readText, readWhole } from './yaml-text.ts';

function misfits(text: string, read = readText(text)) {
  if (!read.ok) throw new Error('unreadable');
  return misfitsOf(text, read).map(({ id, value, line, column }) => `${line}:${column} ${id}: ${value}`);
}

test('values that the gateway does not accept, each at its place', () => {
  const text = `# first
debug: maybe
port: abc # no number

remote-management:
  # nested
  secret-key: [a]
  allow-remote: yes
routing: { strategy: fastest, session-affinity: 1 }
redis-usage-queue-retention-seconds: 3601
proxy-url:
  sk-a: 1
request-retry:
logs-max-total-size-mb: "7"
unknown: [anything]
`;
  const found = [
    '3:7 port: abc',
    '7:15 remote-management.secret-key: […]',
    '10:38 redis-usage-queue-retention-seconds: 3601',
    '2:8 debug: maybe',
    '14:25 logs-max-total-size-mb: 7',
    '12:3 proxy-url: {…}',
    '9:22 routing.strategy: fastest',
    '9:49 routing.session-affinity: 1',
  ];
  expect(misfits(text)).toEqual(found);
  // By the library alone, and with the line breaks of Windows.
  expect(misfits(text, readWhole(text))).toEqual(found);
  expect(misfits(text.replaceAll('\n', '\r\n'))).toEqual(found);
});

test('what has no place of its own is told at the nearest key', () => {
  expect(misfits('x: &x { enable: 7 }\ntls: *x\n')).toEqual(['2:1 tls.enable: 7']);
  expect(misfits('<<: { port: abc }\n')).toEqual(['1:1 port: abc']);
});

test('a review tells those that are new', () => {
  const ids = (before: string, after: string) => reviewChange(before, after, null).misfits.map(({ id }) => id);
  expect(ids('port: 1\n', 'port: abc\n')).toEqual(['port']);
  expect(ids('port: abc\n', '# a line\nport: abc\ndebug: 3\n')).toEqual(['debug']);
  expect(ids('port: abc\n', 'port: 1\n')).toEqual([]);
});
