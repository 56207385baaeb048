import { AppError } from '@manager/core/contract/errors';
import { trimText } from '@manager/core/json/text';
import { accountKey } from '@manager/core/usage/account-key';

/** The identifying members of a target, as sent. */
interface SentIdentity {
  readonly auth_file_snapshot?: string | null | undefined;
  readonly auth_index?: string | null | undefined;
  readonly auth_provider_snapshot?: string | null | undefined;
  readonly auth_project_id_snapshot?: string | null | undefined;
  readonly account_snapshot?: string | null | undefined;
  readonly auth_label_snapshot?: string | null | undefined;
  readonly source?: string | null | undefined;
  readonly auth_account_id_snapshot?: string | null | undefined;
}

/** Trimmed; '' = not given. */
export interface TargetIdentity {
  readonly file: string;
  /** The file, else the source where it is used as one: different from account and label. */
  readonly effectiveFile: string;
  readonly index: string;
  readonly provider: string;
  readonly project: string;
  readonly account: string;
  readonly label: string;
  readonly source: string;
  readonly accountId: string;
  /** The account key of events; '' when the members identify no account. */
  readonly key: string;
}

export function targetIdentity(sent: SentIdentity): TargetIdentity {
  const [file, index, provider, project, account, label, source, accountId] = [
    sent.auth_file_snapshot,
    sent.auth_index,
    sent.auth_provider_snapshot,
    sent.auth_project_id_snapshot,
    sent.account_snapshot,
    sent.auth_label_snapshot,
    sent.source,
    sent.auth_account_id_snapshot,
  ].map((text) => trimText(text ?? '')) as [string, string, string, string, string, string, string, string];
  const key = accountKey({
    auth_file_snapshot: file,
    auth_index: index,
    auth_project_id_snapshot: project,
    auth_provider_snapshot: provider,
    auth_label_snapshot: label,
    account_snapshot: account,
    provider: '',
    source,
  });
  const effectiveFile = file !== '' ? file : source !== account && source !== label ? source : '';
  return { file, effectiveFile, index, provider, project, account, label, source, accountId, key };
}

/** @throws AppError 400: one file name under two providers is two accounts */
export function requireProviderOfFile({ effectiveFile, provider }: TargetIdentity): void {
  if (effectiveFile !== '' && provider === '') throw badRequest('auth_provider_snapshot: needed with a file');
}

/** Lower-cases member names at every depth: clients write them in any case. */
export function lowerCaseNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerCaseNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toLowerCase(), lowerCaseNames(member)]),
  );
}

export function badRequest(message: string): AppError {
  return new AppError('invalid_request', { message });
}
