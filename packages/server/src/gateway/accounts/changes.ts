import { identityOf } from '@manager/core/accounts/identity';
import { hasState, type ListedAccount } from '@manager/core/accounts/listed-account';
import { isConfirmedMutation } from '@manager/core/accounts/mutation-answer';
import { type FileTarget, isPluginVirtualConflict, type StatusTarget } from '@manager/core/accounts/status-scope';
import { TARGET_PROBLEMS } from '@manager/core/accounts/target-state';
import { GatewayError, type GatewayErrorKind } from '../errors.ts';
import type { AccountCallOptions, AccountClient } from './client.ts';
import { type Replaced, restoreReplaced } from './replaced.ts';
import type { AccountTargets } from './targets.ts';

/** Limit of the look-up after an unconfirmed request, separate from the request's own signal. */
const LOOK_TIMEOUT_MS = 8_000;

/** A change that failed, or whose result is unknown. The message is for the operator, without secrets. */
export class AccountChangeError extends Error {
  /** The gateway did not confirm it, but did it, or a look-up afterwards was inconclusive. */
  readonly mayHaveHappened: boolean;
  /** It changed a different account that is in the file by now; the intended one is gone. */
  readonly replaced: boolean;

  constructor(
    message: string,
    options: { readonly mayHaveHappened?: boolean; readonly replaced?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'CredentialChangeError';
    this.mayHaveHappened = options.mayHaveHappened === true;
    this.replaced = options.replaced === true;
  }
}

export interface ChangeOptions extends AccountCallOptions {
  /**
   * A manual decision stands unless a look-up shows that nothing changed, so there is also a look-up after a refusal. After an
   * automatic change it is checked whether the file still holds the intended account. Absent for a revert.
   */
  readonly by?: 'person' | 'automation';
  /** Limit of the look-up after an unconfirmed request, which the signal does not end. */
  readonly lookTimeoutMs?: number;
}

/**
 * Changes of verified targets. They return once the gateway has confirmed the change, or gave no answer and a look-up shows it.
 * Any other answer is a failure, even if the change shows: then `mayHaveHappened` is set.
 *
 * @throws CredentialChangeError, AppError `usage_service_not_configured`
 */
export interface AccountChanges {
  /** The caller holds the lock of the file and has looked up the target under it. */
  setDisabled(target: StatusTarget, disabled: boolean, options?: ChangeOptions): Promise<void>;
  /** All accounts of a file by one request: it has a source row, or one account only. */
  setFileDisabled(target: FileTarget, disabled: boolean, options?: ChangeOptions): Promise<void>;
  /**
   * One account of a file whose others are switched too. `file`: the gateway switches them only together, and all of them are
   * switched now.
   */
  setMemberDisabled(
    target: FileTarget,
    member: ListedAccount,
    disabled: boolean,
    options?: ChangeOptions,
  ): Promise<'member' | 'file'>;
  deleteFile(target: FileTarget, options?: ChangeOptions): Promise<void>;
}

/** One request, and how to check afterwards whether it had an effect. */
interface Change {
  send(selector: string): Promise<string>;
  readonly selector: string;
  /** The expected members of the file when the physical name is used instead. */
  readonly file: Pick<FileTarget, 'fileName' | 'members'>;
  /** Reads again what the selector reaches; null when that cannot be read. */
  happened(selector: string): Promise<boolean | null>;
}

export function createAccountChanges(
  client: Pick<AccountClient, 'patchStatus' | 'deleteFile' | 'find'>,
  targets: Pick<AccountTargets, 'file'>,
): AccountChanges {
  /** Returns the used selector. */
  async function run(change: Change, options: ChangeOptions): Promise<string> {
    let body: string;
    try {
      body = await change.send(change.selector);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      const byName = isPluginVirtualConflict(error.status, error.answer) && change.selector !== change.file.fileName;
      if (byName) return run({ ...change, selector: await physicalName(change.file, options) }, options);
      const isOver = error.unsent || (isRefusal(error) && options.by !== 'person');
      if (isOver) throw new AccountChangeError(error.message, { cause: error });
      const happened = await change.happened(change.selector);
      const isSilent = isWithoutAnswer(error);
      if (isSilent && happened === true) return change.selector;
      // Without an answer it may still be executed.
      throw new AccountChangeError(error.message, { mayHaveHappened: isSilent || happened !== false, cause: error });
    }
    if (!isConfirmedMutation(body)) {
      const mayHaveHappened = (await change.happened(change.selector)) !== false;
      throw new AccountChangeError('the gateway did not confirm the change', { mayHaveHappened });
    }
    return change.selector;
  }

  /** The name selects every account of the file, so those must still be the intended ones. */
  async function physicalName({ fileName, members }: Change['file'], options: ChangeOptions): Promise<string> {
    const again = await targets.file(fileName, members.map(identityOf), lookOf(options));
    if (!again.found) throw new AccountChangeError('the accounts of the auth file have changed; reload the list');
    return fileName;
  }

  /** The current members; null when they are unreadable or different. */
  async function membersNow({ fileName, members }: Change['file'], options: ChangeOptions) {
    try {
      const entries = await client.find(fileName, lookOf(options));
      return entries.filter((entry) => members.some((member) => member.runtimeId === entry.runtimeId));
    } catch {
      return null;
    }
  }

  /** null also for a mixed state, whose cause is unknown. */
  async function areAll(file: Change['file'], disabled: boolean, options: ChangeOptions): Promise<boolean | null> {
    const now = await membersNow(file, options);
    if (now === null) return null;
    const changed = now.filter((member) => hasState(member, disabled));
    if (changed.length === file.members.length) return true;
    return changed.length === 0 ? false : null;
  }

  /** The gateway does not change an account that only exists in the file. @returns the used selector */
  async function switched(change: Change, disabled: boolean, options: ChangeOptions): Promise<string> {
    const selector = await run(change, options);
    if (options.by !== 'automation') return selector;
    const replaced = await restoreReplaced(client, { ...change.file, selector, disabled }, lookOf(options));
    if (replaced === 'no') return selector;
    throw new AccountChangeError(WORDS[replaced], { replaced: true });
  }

  return {
    async setDisabled({ selector, listed: account, affected }, disabled, options = {}) {
      const file = { fileName: account.name, members: affected };
      await switched(
        {
          selector,
          file,
          send: (name) => client.patchStatus({ selector: name, authIndex: account.authIndex, disabled }, options),
          happened: () => areAll(file, disabled, options),
        },
        disabled,
        options,
      );
    },
    async setFileDisabled(file, disabled, options = {}) {
      await switched(
        {
          selector: file.selector,
          file,
          send: (name) => client.patchStatus({ selector: name, authIndex: '', disabled }, options),
          happened: () => areAll(file, disabled, options),
        },
        disabled,
        options,
      );
    },
    async setMemberDisabled(file, member, disabled, options = {}) {
      const isFile = (selector: string) => selector === file.fileName;
      const selector = await switched(
        {
          selector: member.runtimeId,
          file,
          send: (name) =>
            client.patchStatus({ selector: name, authIndex: isFile(name) ? '' : member.authIndex, disabled }, options),
          happened: (name) =>
            areAll(isFile(name) ? file : { fileName: file.fileName, members: [member] }, disabled, options),
        },
        disabled,
        options,
      );
      return isFile(selector) ? 'file' : 'member';
    },
    async deleteFile(file, options = {}) {
      await run(
        {
          selector: file.selector,
          file,
          send: (name) => client.deleteFile(name, options),
          async happened() {
            const now = await membersNow(file, options);
            return now === null ? null : now.length === 0;
          },
        },
        options,
      );
    },
  };
}

const WORDS: Readonly<Record<Exclude<Replaced, 'no'>, string>> = {
  spared: `${TARGET_PROBLEMS.identity_mismatch}; the change was undone`,
  reached: `${TARGET_PROBLEMS.identity_mismatch} and was changed; check it`,
};

function lookOf({ lookTimeoutMs = LOOK_TIMEOUT_MS }: ChangeOptions): AccountCallOptions {
  return { timeoutMs: lookTimeoutMs };
}

/** The gateway answered that it refuses. */
function isRefusal(error: GatewayError): boolean {
  return error.status >= 300 && error.status < 500;
}

const WITHOUT_ANSWER: ReadonlySet<GatewayErrorKind> = new Set(['timeout', 'closed', 'not_http', 'tls_broken']);

/** The request was sent without a usable answer, or a proxy reported that there was none. */
function isWithoutAnswer(error: GatewayError): boolean {
  if (error.status === 502 || error.status === 504) return true;
  return error.status === 0 && WITHOUT_ANSWER.has(error.kind);
}
