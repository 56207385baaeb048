import { describe, expect, test } from 'bun:test';
import { CANDIDATE_ACTIONS, candidateEvidenceSchema } from '../../contract/account-actions.ts';
import { CANDIDATE_STATUSES } from '../../contract/constants.ts';
import vectors from '../fixtures/cooldown-vectors.json';
import { accountIdentity } from '../identity.ts';
import { eventOfVector } from '../testing/events.ts';
import { type CandidateReport, candidateOfEvent, type FailedEvent } from './candidate.ts';
import { type CandidateRow, candidateChange } from './candidates.ts';
import { CANDIDATE_COMMANDS, candidateStatusAfter } from './states.ts';

const T0 = 1_700_000_000_000;

function known<Word extends string>(words: readonly Word[], word: string): Word {
  const found = words.find((candidate) => candidate === word);
  if (found === undefined) throw new Error(`unknown word ${word}`);
  return found;
}

test('the fixture has vectors of candidates and of their states', () => {
  for (const entries of [vectors.candidates, vectors.candidateStates]) {
    expect(entries.length).toBeGreaterThan(0);
  }
});

interface EventOfStep {
  file: string;
  provider: string;
  actionType: string;
  reasonCode: string;
  autoDisableEligible: boolean;
  seenAtMs: number;
  authIndex?: string;
  accountId?: string;
  accountSnapshot?: string;
  authLabel?: string;
}

function reportOf(event: EventOfStep): CandidateReport {
  const identity = accountIdentity({ ...event, authFileName: event.file });
  return {
    file: identity.authFileName,
    provider: identity.provider,
    authIndex: identity.authIndex,
    accountId: identity.accountId,
    accountSnapshot: identity.accountSnapshot,
    authLabel: event.authLabel ?? '',
    actionType: known(CANDIDATE_ACTIONS, event.actionType),
    reasonCode: event.reasonCode,
    reason: '',
    autoDisableEligible: event.autoDisableEligible,
    evidence: {},
    seenAtMs: event.seenAtMs,
  };
}

/** A queue in memory that applies the changes as a store does. */
function queue() {
  let rows: CandidateRow[] = [];
  return {
    rows: () => rows,
    replace(id: number, change: Partial<CandidateRow>) {
      rows = rows.map((row) => (row.id === id ? { ...row, ...change } : row));
    },
    report(report: CandidateReport, nowMs = report.seenAtMs) {
      const change = candidateChange(rows, report, nowMs);
      if (change.kind === 'insert') {
        rows.push({ ...change.row, id: rows.length + 1, createdAtMs: nowMs, updatedAtMs: nowMs });
      } else if (change.kind === 'update') this.replace(change.id, { ...change.row, updatedAtMs: nowMs });
      return change.kind;
    },
  };
}

describe('candidates', () => {
  for (const { name, steps, expectRows } of vectors.candidates) {
    test(name, () => {
      const store = queue();
      for (const step of steps) {
        if ('event' in step && step.event !== undefined) store.report(reportOf(step.event));
        if ('setLastError' in step) store.replace(step.id ?? 0, { lastError: step.setLastError ?? '' });
        if ('setStatus' in step)
          store.replace(step.id ?? 0, { status: known(CANDIDATE_STATUSES, step.setStatus ?? '') });
      }
      expect(store.rows()).toMatchObject(expectRows);
      expect(store.rows()).toHaveLength(expectRows.length);
    });
  }

  const report = reportOf({
    file: 'codex-a.json',
    provider: 'codex',
    actionType: 'reauth',
    reasonCode: 'token_revoked',
    autoDisableEligible: true,
    authIndex: 'ix-1',
    accountSnapshot: 'a@example.test',
    seenAtMs: T0,
  });

  test('an ignored failure stays ignored for a day', () => {
    const store = queue();
    store.report(report);
    store.replace(1, { status: 'ignored', updatedAtMs: T0 + 1_000 });
    expect(store.report({ ...report, seenAtMs: T0 + 2_000 }, T0 + 86_400_999)).toBe('ignored');
    expect(store.report({ ...report, reasonCode: 'invalid_credentials' })).toBe('insert');
    expect(store.report({ ...report, authIndex: 'ix-2', accountSnapshot: '' })).toBe('insert');
    expect(store.report({ ...report, seenAtMs: T0 + 86_401_000 }, T0 + 86_401_000)).toBe('insert');
  });

  test('two weaker rows that match write nothing', () => {
    const store = queue();
    store.report({ ...report, authIndex: '', accountId: 'acc-1' });
    store.report({ ...report, authIndex: '', accountId: '' });
    expect(store.rows()).toHaveLength(2);
    expect(store.report({ ...report, accountId: 'acc-1' })).toBe('conflict');
  });

  test('a weaker row of another account id is not upgraded', () => {
    const store = queue();
    store.report({ ...report, authIndex: '', accountId: 'acc-1' });
    expect(store.report({ ...report, accountId: 'acc-2' })).toBe('insert');
  });

  test('a late event counts but does not replace newer texts', () => {
    const store = queue();
    store.report(report);
    store.report({ ...report, accountSnapshot: 'older@example.test', authLabel: 'gap', seenAtMs: T0 - 5_000 });
    expect(store.rows()).toMatchObject([
      {
        accountSnapshot: 'a@example.test',
        authLabel: 'gap',
        hitCount: 2,
        firstSeenAtMs: T0 - 5_000,
        lastSeenAtMs: T0,
      },
    ]);
  });
});

describe('states of a candidate', () => {
  for (const { status, action, expect: expected } of vectors.candidateStates) {
    test(`${status}, ${action}`, () => {
      const from = known(CANDIDATE_STATUSES, status);
      const to = candidateStatusAfter(from, known(CANDIDATE_COMMANDS, action));
      expect<unknown>({ http: to === null ? 409 : 200, status: to ?? from }).toEqual(expected);
    });
  }
});

describe('the candidate of an event', () => {
  const event: FailedEvent = {
    ...eventOfVector(
      {
        fail_status_code: 401,
        timestamp_ms: T0,
        provider: 'codex',
        auth_file_snapshot: 'codex-a.json',
        auth_index: 'ix-1',
        account_snapshot: 'codex-a.json',
        fail_body: '{"error":{"code":"token_revoked","message":"secret text"}}',
        fail_summary: 'revoked',
      },
      false,
    ),
    request_id: 'r1',
    timestamp: '2023-11-14T22:13:20Z',
    header_trace_id: '',
    model: 'gpt-5',
    endpoint: 'POST /v1/responses',
    auth_label_snapshot: 'Friendly',
    auth_project_id_snapshot: 'p-1',
  };

  test('carries the sanitised summary and never the body', () => {
    const outcome = candidateOfEvent(event);
    if (outcome.kind !== 'candidate') throw new Error(outcome.kind);
    expect(outcome.report).toMatchObject({
      file: 'codex-a.json',
      authIndex: 'ix-1',
      accountSnapshot: '',
      accountId: 'p-1',
      actionType: 'reauth',
      reasonCode: 'token_revoked',
      autoDisableEligible: true,
      seenAtMs: T0,
    });
    expect(JSON.stringify(outcome.report)).not.toContain('secret text');
    expect(candidateEvidenceSchema.parse(outcome.report.evidence)).toMatchObject({
      eventHash: 'e1',
      statusCode: 401,
      errorCode: 'token_revoked',
      failSummary: 'revoked',
      accountIdSnapshot: 'p-1',
      confidence: 'high',
    });
    expect(outcome.report.evidence).not.toHaveProperty('headerTraceId');
  });

  test('a missing file is distinct from no candidate', () => {
    expect(candidateOfEvent({ ...event, auth_file_snapshot: ' ' }).kind).toBe('no_auth_file');
    expect(candidateOfEvent({ ...event, failed: false }).kind).toBe('none');
    expect(candidateOfEvent({ ...event, fail_status_code: 429 }).kind).toBe('none');
    expect(candidateOfEvent({ ...event, fail_body: '' }).kind).toBe('none');
  });

  test('the provider of the account wins over the one of the request', () => {
    const outcome = candidateOfEvent({ ...event, auth_provider_snapshot: 'x_ai' });
    expect(outcome).toMatchObject({ report: { provider: 'xai' } });
  });
});
