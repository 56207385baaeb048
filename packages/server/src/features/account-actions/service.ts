import type { CandidateRow } from '@manager/core/accounts/failures/candidates';
import { type CandidateCommand, candidateStatusAfter } from '@manager/core/accounts/failures/states';
import { isStableIdentity } from '@manager/core/accounts/identity';
import { TARGET_PROBLEMS, type TargetProblem } from '@manager/core/accounts/target-state';
import type {
  AccountActionCandidate,
  CandidateListResponse,
  CandidateResponse,
} from '@manager/core/contract/account-actions';
import { AppError, type ErrorCode } from '@manager/core/contract/errors';
import { AccountChangeError } from '../../gateway/accounts/changes.ts';
import type { GatewayAccounts } from '../../gateway/accounts/gateway-accounts.ts';
import type { WantedChange } from '../../gateway/claims/wanted-change.ts';
import { stopPoint } from '../../platform/stop-point.ts';
import { candidateItem } from './candidate-item.ts';
import { candidateIdentity } from './claim.ts';
import type { ListCandidatesArgs } from './queries/candidates.ts';
import type { CandidateReads, CandidateWrites } from './store.ts';

export interface AccountActionsDeps {
  readonly gatewayAccounts: GatewayAccounts;
  readonly reader: CandidateReads;
  readonly writer: CandidateWrites;
}

export interface AccountActions {
  /** Called before all other checks. @throws AppError `usage_service_not_configured` */
  requireConfigured(): void;
  list(args: ListCandidatesArgs): Promise<CandidateListResponse>;
  /**
   * Executes a decision of the operator. A change at the gateway is stored even if the caller no longer waits.
   *
   * @throws AppError 404 no such action queue entry, 409 not pending or the account is not certain, 500
   */
  act(id: number, command: CandidateCommand): Promise<CandidateResponse>;
}

interface Decision {
  readonly wanted: WantedChange;
  readonly change: () => Promise<void>;
  readonly command: CandidateCommand;
  /** Reverts the change when it could not be stored; false: it may not be reverted. null = impossible. */
  readonly undo: (() => Promise<boolean>) | null;
}

const PROBLEM_CODES: Readonly<Record<TargetProblem, ErrorCode>> = {
  identity_mismatch: 'candidate_account_replaced',
  not_found: 'candidate_account_missing',
  ambiguous: 'candidate_account_shared',
  lock_refused: 'candidate_file_busy',
  unavailable: 'candidate_gateway_unavailable',
};

const STORE_TRIES = 3;
/** Time limit for reverting a change that could not be stored. */
const UNDO_MS = 5_000;

export function createAccountActions(deps: AccountActionsDeps): AccountActions {
  const { gatewayAccounts, reader, writer } = deps;
  const { targets, changes, lock, client } = gatewayAccounts;

  async function pending(id: number, command: CandidateCommand): Promise<CandidateRow> {
    const row = await reader.run('findCandidate', id);
    if (row === null) throw new AppError('candidate_not_found');
    if (candidateStatusAfter(row.status, command) === null) throw new AppError('candidate_handled');
    return row;
  }

  /** null = it was not pending any more. */
  async function closed(id: number, command: CandidateCommand): Promise<CandidateRow | null> {
    const status = candidateStatusAfter('pending', command);
    if (status === null || status === 'pending') throw new Error(`${command} leads nowhere`);
    return writer.run('closeCandidate', { id, status });
  }

  async function close(id: number, command: CandidateCommand): Promise<AccountActionCandidate> {
    const row = await closed(id, command);
    if (row === null) throw new AppError('candidate_handled');
    return candidateItem(row);
  }

  /**
   * A change at the gateway must be stored; a busy or full disk may pass. An entry that was closed meanwhile, because the account
   * works or in another tab, stays as it is: the change itself is what the operator wants.
   */
  async function closeSurely(id: number, command: CandidateCommand): Promise<AccountActionCandidate> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const row = (await closed(id, command)) ?? (await reader.run('findCandidate', id));
        if (row === null) throw new Error('an action queue entry is gone');
        return candidateItem(row);
      } catch (error) {
        if (attempt === STORE_TRIES) throw error;
      }
    }
  }

  /** Runs under the lock of the file, with the current row. */
  function locked(id: number, command: CandidateCommand, work: (row: CandidateRow) => Promise<AccountActionCandidate>) {
    return pending(id, command).then((first) =>
      lock.withFiles([first.file], new AbortController().signal, async () => {
        const row = await pending(id, command);
        if (!isStableIdentity(candidateIdentity(row))) {
          throw await refused(row, new AppError('candidate_account_ambiguous'));
        }
        return work(row);
      }),
    );
  }

  async function enable(row: CandidateRow): Promise<AccountActionCandidate> {
    const identity = candidateIdentity(row);
    const found = await targets.credential(identity);
    if (!found.found) throw await problem(row, found.problem);
    const { listed: account } = found.target;
    return decided(row, {
      wanted: { kind: 'switch', disabled: false, names: [account.runtimeId || account.name] },
      change: () => changes.setDisabled(found.target, false, { by: 'person' }),
      command: 'enable',
      async undo() {
        if (!account.disabled) return true;
        const again = await targets.credential(identity, { timeoutMs: UNDO_MS / 2 });
        if (!again.found) return false;
        return changes.setDisabled(again.target, true, { timeoutMs: UNDO_MS / 2 }).then(() => true, failedChange);
      },
    });
  }

  async function deleteFile(row: CandidateRow): Promise<AccountActionCandidate> {
    const found = await targets.onlyCredential(candidateIdentity(row));
    // It was deleted before, and only its record was lost.
    if (!found.found && found.problem === 'not_found') return close(row.id, 'delete');
    if (!found.found) throw await problem(row, found.problem);
    return decided(row, {
      wanted: { kind: 'deletion' },
      change: () => changes.deleteFile(found.target, { by: 'person' }),
      command: 'delete',
      undo: null,
    });
  }

  /**
   * A decision of the operator: no cooldown or inspection may override it. The intent is stored first and settled last, so
   * that after a crash a look-up decides who owns the account.
   */
  async function decided(row: CandidateRow, decision: Decision): Promise<AccountActionCandidate> {
    const { command, undo } = decision;
    const scope = { kind: 'accounts', accounts: [candidateIdentity(row)] } as const;
    const intent = await gatewayAccounts.claims.manual.begin(scope, decision.wanted);
    stopPoint('manual_change_stored');
    try {
      await decision.change();
    } catch (error) {
      if (!(error instanceof AccountChangeError)) {
        await intent.settleLater();
        throw error;
      }
      await (error.mayHaveHappened ? intent.settleByLookup(false) : intent.settle('not_happened'));
      await writer.run('setCandidateError', { id: row.id, lastError: error.message });
      throw new AppError('candidate_change_failed', { message: error.message, cause: error });
    }
    stopPoint('manual_change_answered');
    let item: AccountActionCandidate;
    try {
      item = await closeSurely(row.id, command);
    } catch (cause) {
      if (undo !== null) {
        await ((await undo()) ? intent.settle('not_happened') : intent.settleByLookup(false));
        throw cause;
      }
      await intent.settle('happened');
      throw new AppError('candidate_not_stored', { cause });
    }
    stopPoint('candidate_closed');
    await intent.settle('happened');
    return item;
  }

  function problem(row: CandidateRow, kind: TargetProblem): Promise<AppError> {
    return refused(row, new AppError(PROBLEM_CODES[kind], { message: TARGET_PROBLEMS[kind] }));
  }

  async function refused(row: CandidateRow, refusal: AppError): Promise<AppError> {
    await writer.run('setCandidateError', { id: row.id, lastError: refusal.message });
    return refusal;
  }

  return {
    requireConfigured() {
      if (!client.configured()) throw new AppError('usage_service_not_configured');
    },
    async list(args) {
      const { rows, pendingCount } = await reader.run('listCandidates', args);
      return { items: rows.map(candidateItem), pendingCount };
    },
    async act(id, command) {
      if (command === 'enable') return { item: await locked(id, command, enable) };
      if (command === 'delete') return { item: await locked(id, command, deleteFile) };
      await pending(id, command);
      return { item: await close(id, command) };
    },
  };
}

function failedChange(error: unknown): false {
  if (error instanceof AccountChangeError) return false;
  throw error;
}
