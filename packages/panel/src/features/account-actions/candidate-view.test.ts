import { describe, expect, test } from 'bun:test';
import type { AccountActionCandidate } from '@manager/core/contract/account-actions';
import { createMasker, PLAIN } from '../../platform/format/mask.ts';
import { NO_FILTERS } from './account-actions-search.ts';
import {
  accountOf,
  choicesOf,
  evidenceJson,
  filterCandidates,
  possibleActions,
  statusWord,
  typeWord,
} from './candidate-view.ts';

const candidate = (fields: Partial<AccountActionCandidate> = {}): AccountActionCandidate => ({
  id: 1,
  actionType: 'reauth',
  status: 'pending',
  provider: 'codex',
  authFileName: 'codex-one.json',
  accountSnapshot: 'one@example.test',
  reason: 'The token was revoked',
  reasonCode: 'token_revoked',
  autoDisableEligible: true,
  firstSeenAtMs: 1,
  lastSeenAtMs: 2,
  hitCount: 1,
  createdAtMs: 1,
  updatedAtMs: 2,
  ...fields,
});

const everything = { ...NO_FILTERS, candidate: '' };

describe('filters', () => {
  const rows = [
    candidate(),
    candidate({ id: 2, actionType: 'delete', provider: 'claude', authFileName: 'claude-two.json' }),
    candidate({ id: 3, status: 'ignored' }),
  ];
  test.each([
    [{}, [1, 2]],
    [{ status: '' }, [1, 2, 3]],
    [{ type: 'delete' }, [2]],
    [{ provider: 'codex' }, [1]],
    [{ search: 'CLAUDE-TWO' }, [2]],
    [{ search: 'revoked', status: 'ignored' }, [3]],
    [{ search: 'nothing has this' }, []],
  ])('%p', (filters, ids) => {
    expect(filterCandidates(rows, { ...everything, ...filters }).map(({ id }) => id)).toEqual(ids);
  });

  test('offer what the rows have, and what is chosen', () => {
    expect(choicesOf(['codex', undefined, '', 'claude', 'codex'], 'gone')).toEqual(['claude', 'codex', 'gone']);
  });
});

test('only what waits can be decided, and an unknown type changes nothing at the gateway', () => {
  const later = candidate({ actionType: 'quarantine' as never });
  expect(possibleActions(candidate())).toEqual({ decide: true, change: true });
  expect(possibleActions(candidate({ status: 'ignored' }))).toEqual({ decide: false, change: false });
  expect(possibleActions(candidate({ status: 'parked' as never }))).toEqual({ decide: false, change: false });
  expect(possibleActions(later)).toEqual({ decide: true, change: false });
  expect([typeWord('quarantine'), statusWord('parked'), typeWord('constructor')]).toEqual([null, null, null]);
});

test('the account is named by its best known name', () => {
  expect(accountOf(candidate({ accountSnapshot: '', authLabel: 'Team' }))).toBe('Team');
  expect(accountOf(candidate({ accountSnapshot: '', accountIdSnapshot: 'acc-1' }))).toBe('acc-1');
});

test('evidence is masked as on screen', () => {
  const evidence = {
    statusCode: 401,
    accountSnapshot: 'operator@example.test',
    failSummary: 'for operator@example.test',
  };
  expect(JSON.parse(evidenceJson(evidence, PLAIN))).toEqual(evidence);
  const masked = evidenceJson(evidence, createMasker());
  expect(masked).not.toContain('operator@');
  expect(JSON.parse(masked).statusCode).toBe(401);
});
