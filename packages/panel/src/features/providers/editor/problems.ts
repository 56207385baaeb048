import { type Entry, identityOf, keysOf, numberIn, rowsIn, textIn } from '../../../platform/gateway/providers/entry.ts';
import type { Kind } from '../../../platform/gateway/providers/kinds.ts';
import type { TextKey } from '../../../platform/i18n/index.ts';
import { errorRuleProblems, type Problem } from '../../../ui/forms/error-rules.ts';
import { type Draft, entryOf } from './draft.ts';

const MAX_WEIGHT = 1_000_000;
/** RFC 9110, section 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PROXY = /^(direct|none|(https?|socks5h?):\/\/.+)$/i;

/** @param others the other entries of the list */
export function problemsOf(kind: Kind, draft: Draft, others: readonly Entry[]): readonly Problem[] {
  const entry = entryOf(draft);
  const found: Problem[] = [];
  const check = (fine: boolean, path: string, text: TextKey) => {
    if (!fine) found.push({ path, text });
  };
  const baseUrl = textIn(entry, 'base-url');
  const needsUrl = kind.home === '';
  check(!needsUrl || baseUrl !== '', 'base-url', 'providers.urlNeeded');
  check(baseUrl === '' || (/^https?:\/\//i.test(baseUrl) && URL.canParse(baseUrl)), 'base-url', 'providers.urlInvalid');
  if (kind.id === 'openai') {
    check(textIn(entry, 'name') !== '', 'name', 'providers.nameNeeded');
  } else {
    const keyNeeded = kind.id === 'vertex' || baseUrl === '';
    check(!keyNeeded || textIn(entry, 'api-key') !== '', 'api-key', 'providers.keyNeeded');
  }
  const identity = identityOf(kind, entry);
  const duplicate = others.some((other) => identityOf(kind, other) === identity);
  const [where, what] =
    kind.id === 'openai' ? (['name', 'providers.nameTaken'] as const) : (['api-key', 'providers.keyTaken'] as const);
  check(!duplicate, where, what);
  check(
    !textIn(entry, 'prefix')
      .replace(/^\/+|\/+$/g, '')
      .includes('/'),
    'prefix',
    'providers.prefixInvalid',
  );
  check(isProxy(entry), 'proxy-url', 'providers.proxyInvalid');
  check((numberIn(entry, 'weight') ?? 0) <= MAX_WEIGHT, 'weight', 'providers.weightInvalid');
  const names = draft.headers.map(([name]) => name.trim());
  for (const [at, name] of names.entries()) {
    check(HEADER_NAME.test(name), `headers.${at}`, 'providers.headerInvalid');
    const same = names.findIndex((other) => other.toLowerCase() === name.toLowerCase());
    check(name === '' || same === at, `headers.${at}`, 'providers.headerTwice');
  }
  if (kind.id === 'openai') {
    const keys = keysOf(kind, entry).map(({ key }) => key);
    for (const [at, row] of rowsIn(entry, 'api-key-entries').entries()) {
      const path = `api-key-entries.${at}`;
      check(textIn(row, 'api-key') !== '', `${path}.api-key`, 'providers.keyNeeded');
      check(keys.indexOf(textIn(row, 'api-key')) === at, `${path}.api-key`, 'providers.keyTwice');
      check((numberIn(row, 'weight') ?? 0) <= MAX_WEIGHT, `${path}.weight`, 'providers.weightInvalid');
      check(isProxy(row), `${path}.proxy-url`, 'providers.proxyInvalid');
    }
  }
  for (const [at, row] of rowsIn(entry, 'models').entries()) {
    check(textIn(row, 'name') !== '', `models.${at}.name`, 'providers.modelNeeded');
    check(kind.id !== 'vertex' || textIn(row, 'alias') !== '', `models.${at}.alias`, 'providers.aliasNeeded');
  }
  for (const problem of errorRuleProblems(rowsIn(entry, 'request-scoped-errors'))) {
    found.push({ ...problem, path: `request-scoped-errors.${problem.path}` });
  }
  return found;
}

const isProxy = (entry: Entry): boolean => textIn(entry, 'proxy-url') === '' || PROXY.test(textIn(entry, 'proxy-url'));
