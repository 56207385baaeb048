import { type Finding, isInconclusive } from '@manager/core/accounts/inspection/result';
import { DEFAULT_INSPECTION_CONFIG } from '@manager/core/contract/constants';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Account } from '../../../platform/accounts/account.ts';
import { keepRefusal } from '../../../platform/accounts/quota-refusals.ts';
import { useServices } from '../../../platform/api/services.ts';
import { shown } from '../../../platform/format/shown.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useConfig } from '../../../platform/queries/queries.ts';
import { failureMessage } from '../../../platform/wording/failure-message.ts';
import { type CellContext, fullMoment } from '../../../ui/accounts/account-text.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { isUndecided, reasonText } from '../../../ui/inspection/reasons.ts';
import { ACTION_WORDS } from '../../../ui/inspection/words.ts';
import { askThrough } from '../refresh/ask.ts';
import { canInspect, inspectAccount } from '../refresh/inspect-account.ts';
import { Facts } from './facts.tsx';

interface Outcome {
  readonly finding: Finding;
  readonly atMs: number;
}

/** Inspects this account alone, from the browser: a run of the manager checks all configured accounts. */
export function InspectNow({ account, context }: { readonly account: Account; readonly context: CellContext }) {
  const { t } = useText();
  const { client } = useServices();
  const queries = useQueryClient();
  const rules = useConfig().data?.config.codexInspection ?? DEFAULT_INSPECTION_CONFIG;
  const [asking, setAsking] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);
  if (!canInspect(account)) return null;
  const inspect = async () => {
    const own = new AbortController();
    controller.current = own;
    setAsking(true);
    try {
      const finding = await inspectAccount(askThrough(client, own.signal), account, rules, client.now);
      const atMs = client.now();
      setOutcome({ finding, atMs });
      keepFinding(queries, account, finding, atMs);
    } catch (error) {
      // The drawer switched to another account.
      if (!own.signal.aborted) throw error;
      return;
    }
    setAsking(false);
  };
  return (
    <section>
      <div className="row">
        <h2>{t('diagnosticsTab.now')}</h2>
        <span className="spacer" />
        <Button disabled={asking} aria-busy={asking} onClick={() => void inspect()}>
          {t('diagnosticsTab.inspect')}
        </Button>
      </div>
      <p className="small ink-2">{t('diagnosticsTab.nowText')}</p>
      <div role="status">{outcome !== null && <Found {...outcome} context={context} />}</div>
    </section>
  );
}

/** The provider's newest answer counts on every page until the sign-out, as that of a quota query does. */
function keepFinding(queries: QueryClient, { key }: Account, finding: Finding, atMs: number): void {
  const { action, statusCode, errorDetail: text } = finding;
  const says = action === 'delete' ? 'deactivated' : action === 'reauth' ? 'signIn' : null;
  if (says !== null) keepRefusal(queries, key, { atMs, says, status: statusCode ?? 0, text });
  else if (!isInconclusive(finding)) keepRefusal(queries, key, null);
}

function Found({ finding, atMs, context }: Outcome & { readonly context: CellContext }) {
  const { t } = useText();
  const { action, statusCode, usedPercent, errorDetail, error } = finding;
  const word = ACTION_WORDS[action];
  return (
    <>
      <p className="row">
        <Status tone={isUndecided(finding) ? 'unknown' : word.tone}>{t(word.label)}</Status>
        <span className="ink-2">{reasonText(finding, t, context.masker)}</span>
      </p>
      <Facts
        facts={[
          { label: t('diagnosticsTab.at'), value: fullMoment(atMs, context) },
          { label: t('accountActions.httpStatus'), value: statusCode === null ? '' : String(statusCode) },
          {
            label: t('accounts.quotaLeft'),
            value: usedPercent === null ? '' : `${Math.max(0, Math.floor(100 - usedPercent))}%`,
          },
          {
            label: t('accountActions.lastError'),
            value: shown(context.masker.text(failureMessage(errorDetail || error))),
            copied: context.masker.text(errorDetail || error),
          },
        ]}
      />
    </>
  );
}
