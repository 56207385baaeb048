import { AppError } from '@manager/core/contract/errors';
import type { AccountClient } from '../accounts/client.ts';
import type { AuthFileCoordinator } from '../accounts/coordinator.ts';
import { tryLock } from '../accounts/try-lock.ts';
import { type AccountScope, filesOf, type Settled } from './claim.ts';
import type { OpenManualChange } from './queries/manual-changes.ts';
import type { ClaimStore } from './store.ts';
import { type Before, type IsUnchanged, readBefore, unchangedFiles, type WantedChange } from './wanted-change.ts';

/**
 * Ends the automation of an account before a manual change: an inspection must not enable it again, a cooldown must not end
 * over it. Its claims are revoked, and stored with the intended change, before that is sent. If the change did not happen they
 * are restored, also after a crash. With an unknown result they are decided by a later look-up, but stay revoked if the person
 * may have disabled the account: that must never be undone.
 *
 * The caller holds the lock of the files.
 *
 * @throws AppError 502 when an earlier change of these accounts is open and the gateway does not show its result
 */
export interface ManualChanges {
  begin(scope: AccountScope, wanted: WantedChange): Promise<ManualChange>;
  /** A decision about accounts that already have the wanted state. */
  decide(scope: AccountScope): Promise<void>;
  /**
   * Before an automatic change: settles changes of the accounts that a crash left open. False: the gateway does not answer.
   */
  settleOpen(scope: AccountScope): Promise<boolean>;
  /** Settles changes that a crash left open. */
  settleAll(signal: AbortSignal): Promise<Settled>;
}

/** A change that is about to be sent. One of the last three must be called. */
export interface ManualChange {
  /** Files with revoked claims: without any there is nothing to restore. */
  readonly fileNames: readonly string[];
  /** Reads the state for a later comparison. */
  watch(): Promise<void>;
  settle(how: 'happened' | 'not_happened'): Promise<void>;
  /** The gateway may still execute it. */
  settleLater(): Promise<void>;
  /**
   * Restores the claims of accounts that a look-up shows to be unchanged.
   *
   * @param refused the gateway itself answered that it did not do it
   * @param isReportedUnchanged files that the answer lists as not changed
   */
  settleByLookup(refused: boolean, isReportedUnchanged?: IsUnchanged): Promise<void>;
}

type Begun = Pick<OpenManualChange, 'id' | 'fileNames' | 'revoked'>;

export interface ManualChangesDeps {
  readonly store: ClaimStore;
  readonly client: Pick<AccountClient, 'list' | 'download'>;
  readonly lock: AuthFileCoordinator;
  readonly log: { warn(message: string): void };
}

const LOOK_TIMEOUT_MS = 5_000;
/** Limit for storing the result, independent of the caller. */
const SETTLE_TIMEOUT_MS = 5_000;

export function createManualChanges({ store, client, lock, log }: ManualChangesDeps): ManualChanges {
  const { reader, writer } = store;
  /** Running in this process: they settle themselves. */
  const underWay = new Set<number>();

  async function settle({ id, revoked }: Begun, decided: readonly string[], isUnchanged: IsUnchanged): Promise<void> {
    const unchangedClaims = revoked
      .filter(({ account }) => isUnchanged(account.authFileName, account))
      .map((claim) => claim.id);
    const unchanged = decided.filter((fileName) => isUnchanged(fileName));
    const settling = writer.run('settleManualChange', { id, decided, unchanged, unchangedClaims }).catch(() => {
      // Then nothing is enabled automatically, which is the safe side.
      log.warn('accounts: the outcome of a change could not be stored; checking it again later');
    });
    await Promise.race([settling.finally(() => underWay.delete(id)), Bun.sleep(SETTLE_TIMEOUT_MS)]);
  }

  function change(begun: Begun, wanted: WantedChange): ManualChange {
    const { id, fileNames } = begun;
    let before: Before | null = {};

    async function settleLater(): Promise<void> {
      if (wanted.kind === 'switch' && wanted.disabled !== false) await settle(begun, fileNames, () => false);
      else underWay.delete(id);
    }

    return {
      fileNames,
      async watch() {
        before = await inTime(() => readBefore(client, wanted, new Set(fileNames)));
        // The only kind that the list alone cannot show.
        if (wanted.kind !== 'content') return;
        try {
          await writer.run('noteManualChange', { id, before: before ?? {} });
        } catch (error) {
          await settle(begun, fileNames, () => true);
          throw error;
        }
      },
      settle: (how) => settle(begun, fileNames, () => how === 'not_happened'),
      settleLater,
      async settleByLookup(refused, isReportedUnchanged = () => true) {
        const seen = before;
        const isSeen = seen && (await inTime(() => unchangedFiles(client, wanted, seen, refused)));
        if (isSeen === null) await settleLater();
        else
          await settle(
            begun,
            fileNames,
            (fileName, account) => isReportedUnchanged(fileName) && isSeen(fileName, account),
          );
      },
    };
  }

  async function openChanges(isMeant: IsUnchanged = () => true): Promise<readonly OpenManualChange[]> {
    const open = await reader.run('openManualChanges', null);
    return open.filter(({ id, fileNames }) => !underWay.has(id) && fileNames.some((fileName) => isMeant(fileName)));
  }

  /** @returns null when the gateway does not answer */
  async function lookUpUnchanged({ wanted, before }: OpenManualChange): Promise<IsUnchanged | null> {
    if (wanted.kind === 'content' && before === null) return () => true;
    return inTime(() => unchangedFiles(client, wanted, before ?? {}, false));
  }

  async function settleOpen(scope: AccountScope): Promise<boolean> {
    const files = filesOf(scope);
    const isMeant = (fileName: string) => files?.has(fileName) ?? true;
    let isSettled = true;
    for (const open of await openChanges(isMeant)) {
      const isUnchanged = await lookUpUnchanged(open);
      if (isUnchanged === null) isSettled = false;
      else
        await settle(
          open,
          open.fileNames.filter((fileName) => isMeant(fileName)),
          isUnchanged,
        );
    }
    return isSettled;
  }

  async function begun(scope: AccountScope, wanted: WantedChange | null) {
    if (!(await settleOpen(scope))) {
      throw new AppError('earlier_change_unsettled');
    }
    return writer.run('beginManualChange', { scope, wanted });
  }

  return {
    settleOpen,
    async begin(scope, wanted) {
      const open = await begun(scope, wanted);
      if (open === null) return NOTHING_TAKEN;
      underWay.add(open.id);
      return change(open, wanted);
    },
    async decide(scope) {
      await begun(scope, null);
    },
    async settleAll(signal) {
      const found = await openChanges();
      for (const { id, fileNames } of found) {
        await tryLock(lock, fileNames, signal, async () => {
          const open = (await openChanges()).find((candidate) => candidate.id === id);
          const isUnchanged = open === undefined ? null : await lookUpUnchanged(open);
          if (open !== undefined && isUnchanged !== null) await settle(open, fileNames, isUnchanged);
        });
        signal.throwIfAborted();
      }
      return { found: found.length, left: (await openChanges()).length };
    },
  };
}

const NOTHING_TAKEN: ManualChange = {
  fileNames: [],
  watch: async () => {},
  settle: async () => {},
  settleLater: async () => {},
  settleByLookup: async () => {},
};

/** null when it is unreadable, or too slow. */
async function inTime<T>(read: () => Promise<T>): Promise<T | null> {
  return Promise.race([read().catch(() => null), Bun.sleep(LOOK_TIMEOUT_MS).then(() => null)]);
}
