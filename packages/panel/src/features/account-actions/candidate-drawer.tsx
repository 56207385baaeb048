import type { CandidateCommand } from '@manager/core/accounts/failures/states';
import type { AccountActionCandidate } from '@manager/core/contract/account-actions';
import { Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SIGN_IN_PATH, signInAgain } from '../../platform/accounts/sign-in-again.ts';
import { formatCount } from '../../platform/format/format.ts';
import { shown } from '../../platform/format/shown.ts';
import { dateAndTime } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { failureMessage } from '../../platform/wording/failure-message.ts';
import { reasonText } from '../../platform/wording/reason-codes.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton, useCopied } from '../../ui/controls/copy.tsx';
import { useDrawerFocus } from '../../ui/dialog/use-drawer-focus.ts';
import { FactLines } from '../../ui/display/fact-lines.tsx';
import { Status } from '../../ui/display/status.tsx';
import { Icon } from '../../ui/icons.tsx';
import { accountOf, evidenceJson, possibleActions, reasonCodeOf, stateWord, typeWord } from './candidate-view.ts';

interface CandidateDrawerProps {
  /** Null while loading or when not found: `children` shows which. */
  readonly candidate: AccountActionCandidate | null;
  readonly children?: ReactNode;
  readonly docked: boolean;
  readonly busy: boolean;
  readonly onCommand: (candidate: AccountActionCandidate, command: CandidateCommand) => void;
  readonly onClose: () => void;
}

const EVIDENCE_ID = 'candidate-evidence';

export function showEvidence(): void {
  document.getElementById(EVIDENCE_ID)?.scrollIntoView({ block: 'start' });
}

/** Details of one item, its failure, and its actions. */
export function CandidateDrawer({ candidate, children, docked, busy, onCommand, onClose }: CandidateDrawerProps) {
  const { t } = useText();
  const masker = useMasker();
  const panel = useDrawerFocus(docked);
  const status = candidate === null ? null : stateWord(candidate);
  const possible = candidate === null ? null : possibleActions(candidate);
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      className="drawer"
      aria-label={t('accountActions.candidate')}
      {...(docked ? {} : { 'data-overlay': '' })}
    >
      <div className="drawer-head row">
        {candidate !== null && (
          <Status tone={status?.tone ?? 'unknown'} pill>
            {status === null ? shown(candidate.status) : t(status.label)}
          </Status>
        )}
        <b className="ellipsis">
          {candidate === null
            ? t('accountActions.candidate')
            : shown(masker.account(accountOf(candidate))) || shown(masker.file(candidate.authFileName))}
        </b>
        <span className="spacer" />
        <Button kind="quiet" square aria-label={t('common.close')} onClick={onClose}>
          <Icon name="close" />
        </Button>
      </div>
      <div className="drawer-scroll">
        {candidate === null ? (
          children
        ) : (
          <>
            <Facts candidate={candidate} />
            {possible?.decide === true && (
              <Changes candidate={candidate} change={possible.change} busy={busy} onCommand={onCommand} />
            )}
            <Evidence candidate={candidate} />
          </>
        )}
      </div>
      {candidate !== null && possible?.decide === true && (
        <Stack gap="sm" className="drawer-foot">
          <p className="small ink-3">{t('accountActions.final')}</p>
          <div className="row">
            <Button disabled={busy} aria-busy={busy} onClick={() => onCommand(candidate, 'resolve')}>
              {t('accountActions.resolve')}
            </Button>
            <Button kind="quiet" disabled={busy} aria-busy={busy} onClick={() => onCommand(candidate, 'ignore')}>
              {t('accountActions.ignore')}
            </Button>
          </div>
        </Stack>
      )}
    </aside>
  );
}

function Facts({ candidate }: { readonly candidate: AccountActionCandidate }) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const masker = useMasker();
  const time = (ms: number | undefined) => (ms === undefined ? '' : `${dateAndTime(ms, zone, locale, true)} ${zone}`);
  const type = typeWord(candidate.actionType);
  const reason = reasonText(reasonCodeOf(candidate), candidate.reason, t, masker);
  const code = shown(candidate.reasonCode ?? '');
  const facts: readonly (readonly [string, ReactNode])[] = [
    [
      t('accountActions.type'),
      <Status key="type" tone={type?.tone ?? 'unknown'}>
        {type === null ? shown(candidate.actionType) : t(type.label)}
      </Status>,
    ],
    [t('accountActions.reason'), code === '' ? reason : `${reason} · ${code}`],
    [t('filter.account'), shown(masker.account(candidate.accountSnapshot ?? ''))],
    [t('accountActions.label'), shown(masker.account(candidate.authLabel ?? ''))],
    [t('filter.project'), shown(masker.project(candidate.accountIdSnapshot ?? ''))],
    [t('filter.provider'), shown(candidate.provider ?? '')],
    [t('filter.file'), shown(masker.file(candidate.authFileName))],
    [t('filter.authIndex'), shown(candidate.authIndex ?? '')],
    [t('accountActions.hits'), formatCount(candidate.hitCount)],
    [t('accountActions.firstSeen'), time(candidate.firstSeenAtMs)],
    [t('accountActions.lastSeen'), time(candidate.lastSeenAtMs)],
    [
      t('accountActions.confirmed'),
      candidate.confirmingUntilMs === undefined
        ? ''
        : t('accountActions.confirmedAt', { time: time(candidate.confirmingUntilMs) }),
    ],
    [t('accountActions.autoDisabled'), time(candidate.autoDisabledAtMs)],
    [
      t('accountActions.autoDisable'),
      candidate.autoDisableEligible ? t('accountActions.eligible') : t('accountActions.notEligible'),
    ],
  ];
  const lastError = shown(masker.text(candidate.lastError ?? ''));
  return (
    <section>
      <dl className="definitions">
        <FactLines facts={facts.filter(([, value]) => value !== '')} />
        {lastError !== '' && (
          <>
            <dt>{t('accountActions.lastError')}</dt>
            <dd>
              <span className="value tone-bad">{lastError}</span>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

/** Actions that affect more than the queue. */
function Changes({
  candidate,
  change,
  busy,
  onCommand,
}: Pick<CandidateDrawerProps, 'busy' | 'onCommand'> & {
  readonly candidate: AccountActionCandidate;
  readonly change: boolean;
}) {
  const { t } = useText();
  return (
    <section>
      <h2>{t('accountActions.atGateway')}</h2>
      {!change && <p className="ink-2">{t('accountActions.unknownType')}</p>}
      {candidate.actionType === 'reauth' && <p className="ink-2">{t('accountActions.reauthText')}</p>}
      {change && (
        <Group mt="sm">
          {candidate.actionType === 'reauth' && (
            <Link
              to={SIGN_IN_PATH}
              search={signInAgain(candidate.authIndex ?? '', candidate.provider ?? '')}
              className="link"
            >
              {t('accountActions.reauth')}
            </Link>
          )}
          <Button disabled={busy} onClick={() => onCommand(candidate, 'enable')}>
            {t('accountActions.enable')}
          </Button>
          <Button kind="danger" disabled={busy} onClick={() => onCommand(candidate, 'delete')}>
            {t('accountActions.delete')}
          </Button>
        </Group>
      )}
    </section>
  );
}

function Evidence({ candidate }: { readonly candidate: AccountActionCandidate }) {
  const { t } = useText();
  const masker = useMasker();
  const [copied, copy] = useCopied();
  const { evidence } = candidate;
  if (evidence === undefined) {
    return (
      <section>
        <h2>{t('accountActions.evidence')}</h2>
        <p className="ink-2">{t('accountActions.noEvidence')}</p>
      </section>
    );
  }
  const json = evidenceJson(evidence, masker);
  return (
    <section id={EVIDENCE_ID}>
      <h2>{t('accountActions.evidence')}</h2>
      {evidence.failSummary !== undefined && (
        <div className="box">{shown(masker.text(failureMessage(evidence.failSummary)), 2_000)}</div>
      )}
      <dl className="definitions">
        {evidence.statusCode !== undefined && (
          <>
            <dt>{t('accountActions.httpStatus')}</dt>
            <dd>
              <span className="value">{evidence.statusCode}</span>
            </dd>
          </>
        )}
        {evidence.requestId !== undefined && (
          <>
            <dt>{t('accountActions.requestId')}</dt>
            <dd>
              <span className="value mono">{shown(evidence.requestId)}</span>
              <CopyButton text={evidence.requestId} label={t('accountActions.requestId')} />
            </dd>
          </>
        )}
      </dl>
      <Group mt="sm">
        {evidence.eventHash !== undefined && (
          <Link
            to="/monitoring/event/$eventHash"
            params={{ eventHash: evidence.eventHash }}
            search={evidence.timestampMs === undefined ? {} : { at: [String(evidence.timestampMs)] }}
            className="link"
          >
            {t('accountActions.openRequest')}
          </Link>
        )}
        <Button kind="quiet" onClick={() => copy(json)}>
          <Icon name={copied ? 'check' : 'copy'} />
          {copied ? t('common.copied') : t('accountActions.copyEvidence')}
        </Button>
      </Group>
      <pre className="technical">{shown(json, 20_000)}</pre>
    </section>
  );
}
