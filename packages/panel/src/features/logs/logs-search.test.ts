import { describe, expect, test } from 'bun:test';
import { isExact } from '../../platform/browser/address.ts';
import { parseUrlSearch, stringifyUrlSearch } from '../../platform/browser/url-search.ts';
import { toEntries } from './live/log-buffer.ts';
import { filterOf, isManagement } from './live/log-filter.ts';
import { DEFAULT_LOGS_SEARCH, isFileName, LOGS_ADDRESS, readLogsSearch, writeLogsSearch } from './logs-search.ts';

const corrected = (query: string) => stringifyUrlSearch(writeLogsSearch(readLogsSearch(parseUrlSearch(query)), {}));

describe('the address', () => {
  test('holds every part of the view and no default', () => {
    const query =
      '?tab=errors&q=refused&level=warn&level=error&method=POST&status_class=4xx&status_class=5xx&path=%2Fv1&hide_management=0&raw=1';
    expect(corrected(query)).toBe(query);
    expect(corrected('?tab=live&hide_management=1&raw=0')).toBe('');
    expect(isExact(LOGS_ADDRESS, parseUrlSearch('?other=x&q=a'))).toBe(true);
  });

  test('with an invalid part counts as its default', () => {
    expect(readLogsSearch(parseUrlSearch('?tab=x&level=loud&status_class=9&raw=maybe&hide_management=x'))).toEqual(
      DEFAULT_LOGS_SEARCH,
    );
    expect(corrected(`?q=${'x'.repeat(400)}`)).toBe('');
  });

  test('of a request or a file opens its tab', () => {
    expect(corrected('?request=a1b2c3d4')).toBe('?tab=errors&request=a1b2c3d4');
    expect(readLogsSearch(parseUrlSearch('?file=error-v1-a1b2c3d4.log')).tab).toBe('errors');
    expect(corrected('?request=a%2Fb')).toBe('');
    expect(corrected('?file=..%2Fmain.log')).toBe('');
  });

  test('never names a file of another directory', () => {
    for (const name of ['', '.', '..', 'a/b', 'a\\b', '/etc/passwd', 'a\0b']) expect(isFileName(name)).toBe(false);
    expect(isFileName('error-v1 %2f?#.log')).toBe(true);
  });
});

describe('filters', () => {
  const access = (status: number, method: string, path: string, level = 'info ') =>
    `[2026-11-29 06:43:34] [a1b2c3d4] [${level}] [g.go:1] ${status} | 1ms | 10.0.0.1 | ${method.padEnd(7)} "${path}"`;
  const entries = toEntries(
    [
      '  end of an entry',
      access(200, 'GET', '/v0/management/logs?limit=5'),
      access(200, 'POST', '/v1/messages'),
      access(429, 'POST', '/v1/responses', 'warn '),
      '[2026-11-29 06:43:35] [--------] [error] [m.go:2] refused (a+b)',
      '  caused by: Überlauf',
    ],
    0,
  );
  const shown = (filter: Partial<typeof DEFAULT_LOGS_SEARCH>) =>
    entries.filter(filterOf({ ...DEFAULT_LOGS_SEARCH, hideManagement: false, ...filter })).map(({ id }) => id);

  test.each([
    [{}, [0, 1, 2, 3, 4]],
    [{ hideManagement: true }, [0, 2, 3, 4]],
    [{ levels: ['warn', 'error'] }, [3, 4]],
    [{ methods: ['POST'] }, [2, 3]],
    [{ statusClasses: ['4xx', '5xx'] }, [3]],
    [{ path: '/V1/' }, [2, 3]],
    [{ text: '(A+B)' }, [4]],
    [{ text: 'überlauf' }, [4]],
    [{ text: 'messages', methods: ['GET'] }, []],
  ])('%p shows %p', (filter, expected) => {
    expect(shown(filter)).toEqual(expected);
  });

  test.each([
    ['/v0/management', true],
    ['/v0/management/logs', true],
    ['/v0/management?x=1', true],
    ['/management.html', true],
    ['/v0/managements', false],
    ['/v1/messages?to=/v0/management/', false],
  ])('%p is a request of the management: %p', (path, expected) => {
    expect(toEntries([access(200, 'GET', path)], 0).map(isManagement)).toEqual([expected]);
  });
});
