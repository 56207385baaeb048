import { Link } from '@tanstack/react-router';
import type { AccountRow } from '../../../platform/accounts/rows.ts';
import { shown } from '../../../platform/format/shown.ts';
import { shortTime } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { failureWord } from '../../../platform/requests/event-view.ts';
import { failureMessage } from '../../../platform/wording/failure-message.ts';
import { type CellContext, fullMoment } from '../../../ui/accounts/account-text.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useCopied } from '../../../ui/controls/copy.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { WholeFailure } from '../../../ui/feedback/whole-failure.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { reasonText as inspectionReason } from '../../../ui/inspection/reasons.ts';
import { ACTION_WORDS, STATE_WORDS } from '../../../ui/inspection/words.ts';
import { failureTone } from '../../../ui/requests/event-tone.ts';
import { accountReport, safeJson } from '../model/report.ts';
import { Facts } from './facts.tsx';
import { InspectNow } from './inspect-now.tsx';

interface DiagnosticsProps {
  readonly row: AccountRow;
  readonly context: CellContext;
}

/** For an account that does not work: failures, the last inspection, headers, the stored entry. */
export function DiagnosticsTab({ row, context }: DiagnosticsProps) {
  const { t } = useText();
  const { masker } = context;
  const [copied, copy] = useCopied();
  return (
    <>
      <Failures row={row} context={context} />
      <InspectNow account={row.account} context={context} />
      {context.managed && (
        <>
          <Inspection row={row} context={context} />
          <Headers row={row} context={context} />
        </>
      )}
      <section>
        <div className="row">
          <h2>{t('diagnosticsTab.record')}</h2>
          <span className="spacer" />
          <Button kind="quiet" onClick={() => copy(accountReport(row, masker))}>
            <Icon name={copied ? 'check' : 'copy'} />
            {copied ? t('common.copied') : t('diagnosticsTab.copy')}
          </Button>
        </div>
        <pre className="technical">{shown(safeJson(row.account.entry, masker), 20_000)}</pre>
      </section>
    </>
  );
}

function Failures({ row, context }: DiagnosticsProps) {
  const { t } = useText();
  const { masker, nowMs, zone, locale } = context;
  const failed = (row.history?.recent_requests ?? []).filter((request) => request.failed);
  const { statusMessage } = row.account;
  return (
    <section>
      <h2>{t(context.managed ? 'diagnosticsTab.failures' : 'filter.status')}</h2>
      {statusMessage !== '' && (
        <p className="ink-2">
          {t('diagnosticsTab.gatewaySays', { text: shown(masker.text(failureMessage(statusMessage))) })}
          <WholeFailure text={statusMessage} masker={masker} />
        </p>
      )}
      {failed.length === 0 ? (
        (context.managed || statusMessage === '') && <p className="ink-2">{t('diagnosticsTab.noFailures')}</p>
      ) : (
        <ul className="account-evidence evidence">
          {failed.map((request) => (
            <li key={`${request.timestamp_ms}:${request.header_trace_id ?? ''}`}>
              <span className="ink-3 nowrap">{shortTime(request.timestamp_ms, nowMs, zone, locale)}</span>
              <Status tone={failureTone(request)}>{failureWord(request, t)}</Status>
              <span className="ink-2">
                {[request.header_error_kind, request.header_error_code, failureMessage(request.fail_summary ?? '')]
                  .filter((text) => text !== undefined && text !== '')
                  .map((text) => shown(masker.text(text ?? ''), 300))
                  .join(' · ')}
                <WholeFailure text={request.fail_summary ?? ''} masker={masker} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Inspection({ row, context }: DiagnosticsProps) {
  const { t } = useText();
  const { inspection } = row;
  const lastError = inspection?.errorDetail ?? inspection?.error ?? '';
  return (
    <section>
      <div className="row">
        <h2>{t('diagnosticsTab.inspection')}</h2>
        <span className="spacer" />
        <Link to="/accounts" search={{ view: ['health'] }} className="link">
          {t('nav.inspection')}
        </Link>
      </div>
      {inspection === null ? (
        <p className="ink-2">{t('diagnosticsTab.noInspection')}</p>
      ) : (
        <Facts
          facts={[
            { label: t('diagnosticsTab.at'), value: fullMoment(inspection.createdAtMs, context) },
            { label: t('diagnosticsTab.suggests'), value: t(ACTION_WORDS[inspection.action].label) },
            { label: t('accountActions.reason'), value: inspectionReason(inspection, t, context.masker) },
            {
              label: t('accountActions.httpStatus'),
              value: inspection.statusCode === undefined ? '' : String(inspection.statusCode),
            },
            {
              label: t('diagnosticsTab.action'),
              value: t(
                (inspection.executedAction === undefined
                  ? STATE_WORDS[inspection.actionStatus]
                  : ACTION_WORDS[inspection.executedAction]
                ).label,
              ),
            },
            {
              label: t('accountActions.lastError'),
              value: shown(context.masker.text(failureMessage(lastError))),
              copied: context.masker.text(lastError),
            },
          ]}
        />
      )}
    </section>
  );
}

function Headers({ row, context }: DiagnosticsProps) {
  const { t } = useText();
  const { header } = row;
  return (
    <section>
      <h2>{t('diagnosticsTab.headers')}</h2>
      {header === null ? (
        <p className="ink-2">{t('diagnosticsTab.noHeaders')}</p>
      ) : (
        <>
          <p className="row">
            <span className="ink-2">{fullMoment(header.timestamp_ms, context)}</span>
            <Link
              to="/monitoring/event/$eventHash"
              params={{ eventHash: header.event_hash }}
              search={{ at: [String(header.timestamp_ms)] }}
              className="link"
            >
              {t('accountActions.openRequest')}
            </Link>
          </p>
          <pre className="technical">{shown(safeJson(header.response_metadata ?? {}, context.masker), 10_000)}</pre>
        </>
      )}
    </section>
  );
}
