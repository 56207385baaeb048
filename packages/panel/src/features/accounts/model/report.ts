import { mayNameSecret } from '@manager/core/redaction/names';
import { REDACTED, redactSecrets } from '@manager/core/redaction/redact';
import type { AccountRow } from '../../../platform/accounts/rows.ts';
import type { Masker } from '../../../platform/format/mask.ts';

const SECRET_MARK = '[hidden]';

type Mask = (text: string) => string;

/** How a text is masked by the name of its member. */
function maskOf(name: string, masker: Masker): Mask {
  if (/^(account|email|label|display_account)$/i.test(name) || /account_snapshot|displayAccount/i.test(name))
    return masker.account;
  if (/^(name|file_name|path|id|fileName|auth_file_snapshot|authFileName)$/i.test(name)) return masker.file;
  return /project|account_id|accountId|_sub$|^sub$/i.test(name) ? masker.project : masker.text;
}

/** JSON with names masked as on screen, and secrets always hidden. */
export function safeJson(value: unknown, masker: Masker): string {
  return JSON.stringify(
    value,
    (name, inner: unknown) => {
      const isSecret = mayNameSecret(name);
      if (typeof inner === 'string') return isSecret ? SECRET_MARK : maskOf(name, masker)(withoutSecrets(inner));
      // Token counts and the claims of an id token are not secrets.
      const isHolder = typeof inner === 'object' && inner !== null && isSecret;
      const isClaims = name === 'id_token' && !Array.isArray(inner);
      return isHolder && !isClaims && !/tokens$/i.test(name) ? SECRET_MARK : inner;
    },
    2,
  );
}

/** Secrets inside a text are hidden under every name; names are masked as the display says. */
const withoutSecrets = (text: string): string => redactSecrets(text).replaceAll(REDACTED, SECRET_MARK);

/** All known data of an account, for a report. */
export function accountReport(row: AccountRow, masker: Masker): string {
  const { account, availability, quota, history, candidates, cooldown, inspection, header } = row;
  return safeJson(
    {
      entry: account.entry,
      availability,
      windows: quota.bars.map(({ window }) => window),
      history,
      candidates,
      cooldown,
      inspection,
      header,
    },
    masker,
  );
}
