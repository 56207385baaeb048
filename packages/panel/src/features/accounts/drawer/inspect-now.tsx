import type { Finding } from '@manager/core/accounts/inspection/result';
import { DEFAULT_INSPECTION_CONFIG } from '@manager/core/contract/inspection-config';
import { useEffect, useRef, useState } from 'react';
import { useConfig } from '../../../api/queries.ts';
import { useServices } from '../../../app/services.ts';
import { useText } from '../../../i18n/index.ts';
import { Button } from '../../../ui/button.tsx';
import { failureMessage } from '../../../ui/failure-message.ts';
import { shown } from '../../../ui/shown.ts';
import { Status } from '../../../ui/status.tsx';
import { reasonKey } from '../../health/reasons.ts';
import { ACTION_WORDS } from '../../health/words.ts';
import { type CellContext, fullMoment } from '../cell-context.ts';
import type { Account } from '../model/account.ts';
import { askThrough } from '../refresh/ask.ts';
import { canInspect, inspectAccount } from '../refresh/inspect-account.ts';
import { Facts } from './facts.tsx';

interface Outcome {
  readonly finding: Finding;
  readonly atMs: number;
}

/** Inspects this account alone, from the browser: a run of the manager takes all that are configured. */
export function InspectNow({ account, context }: { readonly account: Account; readonly context: CellContext }) {
  const { t } = useText();
  const { client } = useServices();
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
      setOutcome({ finding, atMs: client.now() });
    } catch (error) {
      // The drawer went on to another account.
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

function Found({ finding, atMs, context }: Outcome & { readonly context: CellContext }) {
  const { t } = useText();
  const { action, actionReason, statusCode, usedPercent, errorDetail, error } = finding;
  const word = ACTION_WORDS[action];
  const reason = reasonKey(actionReason);
  return (
    <>
      <p className="row">
        <Status tone={word.tone}>{t(word.label)}</Status>
        <span className="ink-2">{reason === null ? shown(actionReason) : t(reason)}</span>
      </p>
      <Facts
        facts={[
          { label: t('diagnosticsTab.at'), value: fullMoment(atMs, context) },
          { label: t('actions.httpStatus'), value: statusCode === null ? '' : String(statusCode) },
          {
            label: t('accounts.quotaLeft'),
            value: usedPercent === null ? '' : `${Math.max(0, Math.floor(100 - usedPercent))}%`,
          },
          {
            label: t('actions.lastError'),
            value: shown(context.masker.text(failureMessage(errorDetail || error))),
            copied: context.masker.text(errorDetail || error),
          },
        ]}
      />
    </>
  );
}
