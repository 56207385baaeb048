import { type Credential, hasState } from '@manager/core/accounts/credential';
import { identityOf } from '@manager/core/accounts/identity';
import { isConfirmedMutation } from '@manager/core/accounts/mutation-answer';
import { type FileTarget, isPluginVirtualConflict, type StatusTarget } from '@manager/core/accounts/status-scope';
import { TARGET_PROBLEMS } from '@manager/core/accounts/target-state';
import { UpstreamError } from '../errors.ts';
import type { CredentialCallOptions, CredentialClient } from './client.ts';
import { type Replaced, spareReplaced } from './replaced.ts';
import type { CredentialTargets } from './targets.ts';

/** A look after a call that was not confirmed, beside whatever ended the call. */
const LOOK_TIMEOUT_MS = 8_000;

/** A change that did not happen, or of which nobody can say whether it did. The message is for people, without secrets. */
export class CredentialChangeError extends Error {
  /** The upstream did not confirm it, but did it, or a look afterwards could not tell. */
  readonly mayHaveHappened: boolean;
  /** It reached another account, which lies in the file by now; what was meant is not there any more. */
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

export interface ChangeOptions extends CredentialCallOptions {
  /**
   * A person's decision stands unless a look shows that nothing came of it, so that is looked at after a refusal as well. After
   * a change of an automation it is looked whether the file still holds the account that was meant. Absent for taking back.
   */
  readonly by?: 'person' | 'automation';
  /** Limit of the look after a call that was not confirmed, which the signal does not end. */
  readonly lookTimeoutMs?: number;
}

/**
 * Changes of verified targets. They return once the upstream has confirmed the change, or gave no answer and a look at the
 * credential shows it. An answer that says anything else is a failure, even if the change shows: then `mayHaveHappened` is set.
 *
 * @throws CredentialChangeError, AppError `usage_service_not_configured`
 */
export interface CredentialChanges {
  /** The lock of the file is held by the caller, who has also looked the target up under it. */
  setDisabled(target: StatusTarget, disabled: boolean, options?: ChangeOptions): Promise<void>;
  /** All credentials of a file by one call: it has a row that stands for it, or one credential only. */
  setFileDisabled(target: FileTarget, disabled: boolean, options?: ChangeOptions): Promise<void>;
  /**
   * One credential of a file whose others are switched as well. `file`: the upstream switches them only together, and all of
   * them are switched now.
   */
  setMemberDisabled(
    target: FileTarget,
    member: Credential,
    disabled: boolean,
    options?: ChangeOptions,
  ): Promise<'member' | 'file'>;
  deleteFile(target: FileTarget, options?: ChangeOptions): Promise<void>;
}

/** One call, and how to see afterwards whether it had an effect. */
interface Change {
  send(selector: string): Promise<string>;
  readonly selector: string;
  /** Members of the file that must be the only ones when the physical name is used instead. */
  readonly file: Pick<FileTarget, 'fileName' | 'members'>;
  /** Reads again what the selector reaches; null when that cannot be read. */
  happened(selector: string): Promise<boolean | null>;
}

export function createCredentialChanges(
  client: Pick<CredentialClient, 'patchStatus' | 'deleteFile' | 'find'>,
  targets: Pick<CredentialTargets, 'file'>,
): CredentialChanges {
  /** The selector that was taken in the end. */
  async function run(change: Change, options: ChangeOptions): Promise<string> {
    let body: string;
    try {
      body = await change.send(change.selector);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      const byName = isPluginVirtualConflict(error.status, error.answer) && change.selector !== change.file.fileName;
      if (byName) return run({ ...change, selector: await physicalName(change.file, options) }, options);
      const isOver = error.unsent || (isRefusal(error) && options.by !== 'person');
      if (isOver) throw new CredentialChangeError(error.message, { cause: error });
      const happened = await change.happened(change.selector);
      const isSilent = isWithoutAnswer(error);
      if (isSilent && happened === true) return change.selector;
      // Without an answer it may still come.
      throw new CredentialChangeError(error.message, { mayHaveHappened: isSilent || happened !== false, cause: error });
    }
    if (!isConfirmedMutation(body)) {
      const mayHaveHappened = (await change.happened(change.selector)) !== false;
      throw new CredentialChangeError('the gateway did not confirm the change', { mayHaveHappened });
    }
    return change.selector;
  }

  /** The name reaches every credential of the file, so those must still be the ones that are meant. */
  async function physicalName({ fileName, members }: Change['file'], options: ChangeOptions): Promise<string> {
    const again = await targets.file(fileName, members.map(identityOf), lookOf(options));
    if (!again.found) throw new CredentialChangeError('the accounts of the auth file have changed; reload the list');
    return fileName;
  }

  /** Members as they are now; null when they cannot be read or are others. */
  async function membersNow({ fileName, members }: Change['file'], options: ChangeOptions) {
    try {
      const entries = await client.find(fileName, lookOf(options));
      return entries.filter((entry) => members.some((member) => member.runtimeId === entry.runtimeId));
    } catch {
      return null;
    }
  }

  /** null also when a part of them is: it cannot be told how that came. */
  async function areAll(file: Change['file'], disabled: boolean, options: ChangeOptions): Promise<boolean | null> {
    const now = await membersNow(file, options);
    if (now === null) return null;
    const changed = now.filter((member) => hasState(member, disabled));
    if (changed.length === file.members.length) return true;
    return changed.length === 0 ? false : null;
  }

  /** The upstream knows no change of what is still there only. @returns the selector that was taken */
  async function switched(change: Change, disabled: boolean, options: ChangeOptions): Promise<string> {
    const selector = await run(change, options);
    if (options.by !== 'automation') return selector;
    const replaced = await spareReplaced(client, { ...change.file, selector, disabled }, lookOf(options));
    if (replaced === 'no') return selector;
    throw new CredentialChangeError(WORDS[replaced], { replaced: true });
  }

  return {
    async setDisabled({ selector, credential, affected }, disabled, options = {}) {
      const file = { fileName: credential.name, members: affected };
      await switched(
        {
          selector,
          file,
          send: (name) => client.patchStatus({ selector: name, authIndex: credential.authIndex, disabled }, options),
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

function lookOf({ lookTimeoutMs = LOOK_TIMEOUT_MS }: ChangeOptions): CredentialCallOptions {
  return { timeoutMs: lookTimeoutMs };
}

/** The upstream said that it would not do it. */
function isRefusal(error: UpstreamError): boolean {
  return error.status >= 300 && error.status < 500;
}

/** The request was sent and nothing came back, or only the word of a gateway that nothing did. */
function isWithoutAnswer(error: UpstreamError): boolean {
  if (error.status === 502 || error.status === 504) return true;
  return error.status === 0 && (error.kind === 'timeout' || error.kind === 'closed');
}
