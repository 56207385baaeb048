import type { OwnershipRecord } from '@manager/core/accounts/inspection/ownership';
import type { CredentialClient } from './client.ts';
import type { AuthFileCoordinator } from './coordinator.ts';
import { tryLock } from './try-lock.ts';
import { type Before, type IsUnchanged, readBefore, unchangedFiles, type WantedChange } from './wanted-change.ts';

/** What a person's change of auth files concerns. */
export type ManualScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'files'; readonly fileNames: readonly string[] }
  | { readonly kind: 'credentials'; readonly identities: readonly OwnershipRecord[] };

/**
 * What automation has to forget when a person changes a credential: an inspection must not enable it again, a cooldown must
 * not end over it. It is taken away, and kept with what the person wants, before the gateway is told. Where nothing came of the
 * change it is put back, after a crash as well; what nobody knows stays the person's.
 *
 * The caller holds the lock of the files.
 */
export interface ManualChanges {
  begin(scope: ManualScope, wanted: WantedChange): Promise<ManualChange>;
  /** A decision about accounts that are as the person wants them already. */
  decide(scope: ManualScope): Promise<void>;
  /** Before an automation changes accounts: what a crash has left open of them is settled first. */
  settleOpen(scope: ManualScope): Promise<void>;
  /** Settles what a crash has left open. @returns how many are left, because the gateway cannot be asked */
  settleAll(signal: AbortSignal): Promise<number>;
}

/** A change that is about to be sent. It ends with one of the last two. */
export interface ManualChange {
  /** Files whose automation was taken away: without any there is nothing to be put back. */
  readonly fileNames: ReadonlySet<string>;
  /** Reads what a look afterwards is compared with. */
  watch(): Promise<void>;
  settle(how: 'happened' | 'not_happened'): Promise<void>;
  /**
   * Puts back what a look shows to be unchanged.
   *
   * @param refused the gateway itself says that it did not do it
   * @param isSaid files of which the answer says that they were not changed
   */
  settleByLook(refused: boolean, isSaid?: IsUnchanged): Promise<void>;
}

/** A change whose end is not stored. */
export interface OpenManualChange {
  readonly id: number;
  readonly wanted: WantedChange;
  /** null = not read yet, so nothing was sent where it is needed. */
  readonly before: Before | null;
  readonly fileNames: readonly string[];
}

export interface ManualChangeStore {
  /** @returns null when no automation was concerned, so nothing is to be settled */
  begin(args: {
    readonly scope: ManualScope;
    readonly wanted: WantedChange | null;
  }): Promise<Pick<OpenManualChange, 'id' | 'fileNames'> | null>;
  note(args: { readonly id: number; readonly before: Before }): Promise<unknown>;
  settle(args: { readonly id: number; readonly unchanged: readonly string[] }): Promise<unknown>;
  open(): Promise<readonly OpenManualChange[]>;
}

export interface ManualChangesDeps {
  readonly store: ManualChangeStore;
  readonly client: Pick<CredentialClient, 'list' | 'download'>;
  readonly lock: AuthFileCoordinator;
  readonly log: { warn(message: string): void };
}

const LOOK_TIMEOUT_MS = 5_000;
/** For storing what came of a change, whatever became of the caller. */
const SETTLE_TIMEOUT_MS = 5_000;

export function createManualChanges({ store, client, lock, log }: ManualChangesDeps): ManualChanges {
  /** Under way in this process: they settle themselves. */
  const underWay = new Set<number>();

  async function settle(id: number, fileNames: Iterable<string>, isUnchanged: IsUnchanged): Promise<void> {
    const settling = store.settle({ id, unchanged: [...fileNames].filter(isUnchanged) }).catch(() => {
      // Nothing is enabled automatically then, which is the safe side.
      log.warn('accounts: the outcome of a change could not be stored; checking it again later');
    });
    await Promise.race([settling.finally(() => underWay.delete(id)), Bun.sleep(SETTLE_TIMEOUT_MS)]);
  }

  function change(id: number, wanted: WantedChange, names: readonly string[]): ManualChange {
    const fileNames = new Set(names);
    let before: Before | null = {};
    return {
      fileNames,
      async watch() {
        before = await inTime(() => readBefore(client, wanted, fileNames));
        // The only kind that cannot be told from the list alone.
        if (wanted.kind !== 'content') return;
        try {
          await store.note({ id, before: before ?? {} });
        } catch (error) {
          await settle(id, fileNames, () => true);
          throw error;
        }
      },
      settle: (how) => settle(id, fileNames, () => how === 'not_happened'),
      async settleByLook(refused, isSaid = () => true) {
        const seen = before;
        const isSeen = seen && (await inTime(() => unchangedFiles(client, wanted, seen, refused)));
        await settle(id, fileNames, (fileName) => isSeen !== null && isSaid(fileName) && isSeen(fileName));
      },
    };
  }

  async function left(isMeant: IsUnchanged = () => true): Promise<readonly OpenManualChange[]> {
    const open = await store.open();
    return open.filter(({ id, fileNames }) => !underWay.has(id) && fileNames.some(isMeant));
  }

  /** @returns null when the gateway does not say */
  async function look({ wanted, before }: OpenManualChange): Promise<IsUnchanged | null> {
    if (wanted.kind === 'content' && before === null) return () => true;
    return inTime(() => unchangedFiles(client, wanted, before ?? {}, false));
  }

  async function settleOpen(scope: ManualScope): Promise<void> {
    for (const open of await left(isMeantBy(scope))) {
      const isUnchanged = await look(open);
      await settle(open.id, open.fileNames, isUnchanged ?? (() => false));
    }
  }

  return {
    settleOpen,
    async begin(scope, wanted) {
      await settleOpen(scope);
      const begun = await store.begin({ scope, wanted });
      if (begun === null) return NOTHING_TAKEN;
      underWay.add(begun.id);
      return change(begun.id, wanted, begun.fileNames);
    },
    async decide(scope) {
      await settleOpen(scope);
      await store.begin({ scope, wanted: null });
    },
    async settleAll(signal) {
      for (const { id, fileNames } of await left()) {
        await tryLock(lock, fileNames, signal, async () => {
          const open = (await left()).find((candidate) => candidate.id === id);
          const isUnchanged = open === undefined ? null : await look(open);
          if (isUnchanged !== null) await settle(id, fileNames, isUnchanged);
        });
        signal.throwIfAborted();
      }
      return (await left()).length;
    },
  };
}

const NOTHING_TAKEN: ManualChange = {
  fileNames: new Set(),
  watch: async () => {},
  settle: async () => {},
  settleByLook: async () => {},
};

function isMeantBy(scope: ManualScope): IsUnchanged {
  if (scope.kind === 'all') return () => true;
  const names = new Set(scope.kind === 'files' ? scope.fileNames : scope.identities.map((each) => each.authFileName));
  return (fileName) => names.has(fileName);
}

/** null when it cannot be read, or not soon. */
async function inTime<T>(read: () => Promise<T>): Promise<T | null> {
  return Promise.race([read().catch(() => null), Bun.sleep(LOOK_TIMEOUT_MS).then(() => null)]);
}
