import { accountHistoryRequestSchema } from '@manager/core/contract/accounts/history';
import { MAX_HISTORY_ACCOUNTS } from '@manager/core/contract/constants';
import { trimText } from '@manager/core/json/text';
import { parseShape } from '../../http/body.ts';
import { parseJsonText } from '../../http/json-question.ts';
import { badRequest, lowerCaseNames, requireProviderOfFile, type TargetIdentity, targetIdentity } from './target.ts';

/** A validated account-history request. */
export interface AccountHistoryQuery {
  readonly targets: readonly HistoryTarget[];
}

export interface HistoryTarget {
  readonly rowKey: string;
  /** '' when the target names no account. */
  readonly accountKey: string;
  /** Whose newest requests are wanted; null for targets without a file. */
  readonly requestsOf: { readonly file: string; readonly index: string } | null;
}

/** @throws AppError 400 */
export function parseAccountHistory(body: string): AccountHistoryQuery {
  const request = parseShape(accountHistoryRequestSchema, lowerCaseNames(parseJsonText(body)));
  const accounts = request.accounts ?? [];
  if (accounts.length === 0) throw badRequest('accounts: missing');
  if (accounts.length > MAX_HISTORY_ACCOUNTS) throw badRequest(`accounts: at most ${MAX_HISTORY_ACCOUNTS}`);
  const rowKeys = new Set<string>();
  return {
    targets: accounts.map((account): HistoryTarget => {
      const rowKey = account.row_key ?? '';
      if (trimText(rowKey) === '') throw badRequest('row_key: missing');
      if (rowKeys.has(rowKey)) throw badRequest('row_key: used twice');
      rowKeys.add(rowKey);
      const identity = targetIdentity(account);
      const givenKey = trimText(account.account_key ?? '');
      if (!hasIdentity(identity) && givenKey === '') throw badRequest('target: no identity field');
      requireProviderOfFile(identity);
      return {
        rowKey,
        accountKey: identity.key !== '' ? identity.key : givenKey,
        requestsOf: requesterOf(identity),
      };
    }),
  };
}

/** A source that is a masked key or an e-mail address is no file; every auth file of the gateway ends in `.json`. */
function requesterOf({ file, effectiveFile, index }: TargetIdentity): HistoryTarget['requestsOf'] {
  if (file !== '') return { file, index };
  return /\.json$/i.test(effectiveFile) ? { file: effectiveFile, index } : null;
}

function hasIdentity({ file, index, provider, project, account, label, source, accountId }: TargetIdentity): boolean {
  return [file, index, provider, project, account, label, source, accountId].some((text) => text !== '');
}
