import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { ACCOUNTS_KEY } from '../../../platform/accounts/account-calls.ts';
import type { AvailabilityState } from '../../../platform/accounts/availability.ts';
import type { AccountRow } from '../../../platform/accounts/rows.ts';
import { fromQuery } from '../../../platform/api/data-source.ts';
import { useServices } from '../../../platform/api/services.ts';
import {
  formatCompact,
  formatCostSum,
  formatCount,
  formatDuration,
  formatShare,
  NONE,
} from '../../../platform/format/format.ts';
import { shown } from '../../../platform/format/shown.ts';
import { shortTime } from '../../../platform/format/time.ts';
import { type TextKey, useText } from '../../../platform/i18n/index.ts';
import { useTimeZone } from '../../../platform/preferences/preferences.ts';
import { namedRange, resolveRange } from '../../../platform/range/range.ts';
import { failureWord } from '../../../platform/requests/event-view.ts';
import { failureMessage } from '../../../platform/wording/failure-message.ts';
import { reasonText } from '../../../platform/wording/reason-codes.ts';
import { accountTitle, type CellContext, fileTitle, fullMoment } from '../../../ui/accounts/account-text.ts';
import {
  availabilityReason,
  evidenceStatus,
  SAYS_WORDS,
  SOURCE_WORDS,
  STATE_WORDS,
} from '../../../ui/accounts/availability-text.ts';
import { RecentBars, recentSpan } from '../../../ui/accounts/recent-bars.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { DrawerSkeleton } from '../../../ui/dialog/drawer-skeleton.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { SourceView } from '../../../ui/feedback/source-view.tsx';
import { WholeFailure } from '../../../ui/feedback/whole-failure.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { eventTone } from '../../../ui/requests/event-tone.ts';
import type { MenuChoice } from '../account-menu.tsx';
import { foldedEvidence } from '../model/evidence.ts';
import { offersOf } from '../model/offers.ts';
import { OfferControl } from '../offer-control.tsx';
import { canAskQuota } from '../refresh/ask-provider.ts';
import { type Fact, Facts } from './facts.tsx';

const RECENT = 20;
const RECENT_MS = 30 * 86_400_000;

const ADVICE: Readonly<Record<Exclude<AvailabilityState, 'available'>, TextKey>> = {
  signIn: 'accountAdvice.signIn',
  deactivated: 'accountAdvice.deactivated',
  cooldown: 'accountAdvice.comesBack',
  spent: 'accountAdvice.comesBack',
  failing: 'accountAdvice.failing',
  low: 'accountAdvice.low',
  unconfirmed: 'accountAdvice.unconfirmed',
  disabled: 'accountAdvice.disabled',
};

interface OverviewProps {
  readonly row: AccountRow;
  readonly context: CellContext;
  readonly busy: boolean;
  readonly onChoose: (choice: MenuChoice, row: AccountRow) => void;
}

/** State with evidence and solutions; use and cost, identity, and open decisions. */
export function OverviewTab({ row, context, busy, onChoose }: OverviewProps) {
  return (
    <>
      <State row={row} context={context} busy={busy} onChoose={onChoose} />
      {context.managed ? <Totals row={row} context={context} /> : <RecentTotals row={row} />}
      <Identity row={row} context={context} onTags={() => onChoose('tags', row)} />
      {row.candidates.length > 0 && <Waiting row={row} context={context} />}
      {context.managed && <Recent row={row} context={context} />}
    </>
  );
}

interface PartProps {
  readonly row: AccountRow;
  readonly context: CellContext;
}

function Identity({ row, context, onTags }: PartProps & { readonly onTags: () => void }) {
  const { t } = useText();
  const { masker } = context;
  const { account } = row;
  const { listed } = account;
  const time = (ms: number | null) => (ms === null ? '' : fullMoment(ms, context));
  const facts: readonly Fact[] = [
    { label: t('filter.account'), value: accountTitle(account, masker), copied: masker.account(account.name) },
    { label: t('filter.provider'), value: shown(listed.provider) },
    { label: t('filter.quotaPlan'), value: shown(row.plan) },
    { label: t('filter.file'), value: fileTitle(account, masker), copied: masker.file(listed.name), mono: true },
    {
      label: t('accounts.fileHolds'),
      value: account.fileSize > 1 ? t('accounts.sharedFile', { count: account.fileSize }) : '',
    },
    { label: t('filter.authIndex'), value: listed.authIndex, copied: listed.authIndex, mono: true },
    { label: t('filter.project'), value: shown(masker.project(account.project)) },
    { label: t('accountField.note'), value: shown(masker.text(account.note)) },
    { label: t('accountField.prefix'), value: shown(account.prefix) },
    { label: t('accountField.priority'), value: account.priority === null ? '' : formatCount(account.priority) },
    { label: t('accountField.weight'), value: account.weight === null ? '' : formatCount(account.weight) },
    { label: t('accounts.subscriptionUntil'), value: time(account.subscriptionUntilMs) },
    { label: t('accounts.lastTokenRefresh'), value: time(account.lastRefreshMs) },
    { label: t('accounts.created'), value: time(account.createdAtMs) },
  ];
  return (
    <section>
      <Facts facts={facts} />
      <Group gap={6} mt="sm">
        {row.tags.map((tag) => (
          <span key={tag} className="tag">
            {shown(masker.text(tag))}
          </span>
        ))}
        <Button kind="quiet" onClick={onTags}>
          <Icon name="plus" />
          {t('accounts.editTags')}
        </Button>
      </Group>
    </section>
  );
}

/** Kinds of evidence shown at once. */
const MAX_EVIDENCE = 5;

function State({ row, context, busy, onChoose }: OverviewProps) {
  const { t } = useText();
  const { masker, nowMs, zone, locale } = context;
  const { availability, cooldown } = row;
  const word = STATE_WORDS[availability.state];
  const [all, setAll] = useState(false);
  const evidence = useMemo(() => foldedEvidence(availability.evidence), [availability]);
  const offers = offersOf(row, canAskQuota(row.account));
  const time = (ms: number) => shortTime(ms, nowMs, zone, locale);
  return (
    <section>
      <h2>{t('accounts.availability')}</h2>
      <p className="row">
        <Status tone={word.tone}>{t(word.label)}</Status>
        <span className="ink-2">{availabilityReason(row, context)}</span>
      </p>
      {availability.recovered && <p className="small ink-2">{t('accounts.recoveredText')}</p>}
      {cooldown !== null && (
        <p className="small ink-2">
          {t('accounts.cooldownText', {
            time: fullMoment(cooldown.recoverAtMs, context),
            reason: reasonText(cooldown.reasonCode, cooldown.owner, t, masker),
          })}
          {cooldown.evidence?.recover_at_estimated === true && ` ${t('accounts.estimated')}`}
        </p>
      )}
      {availability.state !== 'available' && (
        <>
          <h3>{t('monitoring.whatToDo')}</h3>
          <p className="ink-2">{t(ADVICE[availability.state])}</p>
          <Group mt="sm">
            {offers.map((offer) => (
              <OfferControl key={offer} offer={offer} row={row} disabled={busy} onChoose={onChoose} />
            ))}
          </Group>
        </>
      )}
      <h3>{t('accounts.evidence')}</h3>
      {evidence.length === 0 ? (
        <p className="ink-2">{t('accounts.noEvidence')}</p>
      ) : (
        <ul className="account-evidence evidence">
          {evidence
            .slice(0, all ? undefined : MAX_EVIDENCE)
            .map(({ atMs, says, source, status, code, text, count }) => (
              <li key={[source, says, status, code, text].join()}>
                <span className="ink-3 nowrap">{time(atMs)}</span>
                <Status tone={SAYS_WORDS[says].tone}>{t(SAYS_WORDS[says].label)}</Status>
                <span className="ink-2">
                  {[
                    t(SOURCE_WORDS[source]),
                    evidenceStatus(status, says, t),
                    shown(reasonText(code, failureMessage(text), t, masker), 100),
                    count > 1 ? t('accounts.times', { count, time: time(atMs) }) : '',
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                  <WholeFailure text={text} masker={masker} />
                </span>
              </li>
            ))}
        </ul>
      )}
      {!all && evidence.length > MAX_EVIDENCE && (
        <Button kind="quiet" onClick={() => setAll(true)}>
          {t('accounts.moreWindows', { count: evidence.length - MAX_EVIDENCE })}
        </Button>
      )}
    </section>
  );
}

function Totals({ row, context }: PartProps) {
  const { t } = useText();
  const { history } = row;
  return (
    <section>
      <h2>{t('accounts.totals')}</h2>
      {history === null || !history.matched ? (
        <p className="ink-2">{history === null ? NONE : t('accounts.noRequests')}</p>
      ) : (
        <>
          <p className="small ink-3">
            {t('accounts.totalsRange', {
              from: fullMoment(history.first_seen_ms ?? 0, context),
              to: fullMoment(history.last_seen_ms ?? 0, context),
            })}
          </p>
          <Facts
            facts={[
              { label: t('accounts.requests'), value: formatCount(history.total_requests) },
              { label: t('filter.failed'), value: formatCount(history.failure_calls) },
              { label: t('accounts.successRate'), value: formatShare(history.success_rate) },
              { label: t('accounts.tokensLabel'), value: formatCompact(history.total_tokens) },
              { label: t('accounts.cost'), value: formatCostSum(history.total_cost, history.unpriced_calls) },
            ]}
          />
        </>
      )}
      <Month row={row} />
    </section>
  );
}

/** The gateway's own counts, limited to its recent buckets. */
function RecentTotals({ row: { recent } }: Pick<PartProps, 'row'>) {
  const { t } = useText();
  if (recent === null) return null;
  const { success, failed } = recent;
  return (
    <section>
      <h2>{t('accounts.recentUse')}</h2>
      <RecentBars use={recent} t={t} />
      <Facts
        facts={[
          { label: t('accounts.requests'), value: `${formatCount(success + failed)} · ${recentSpan(recent, t)}` },
          {
            label: t('accounts.successRate'),
            value: formatShare(success + failed === 0 ? null : success / (success + failed)),
          },
        ]}
      />
    </section>
  );
}

/** Requests and cost since the first of the month, with a link to the breakdown. */
function Month({ row }: Pick<PartProps, 'row'>) {
  const { t } = useText();
  const { manager, client } = useServices();
  const zone = useTimeZone();
  const { authIndex } = row.account.listed;
  const { data } = useQuery({
    queryKey: [ACCOUNTS_KEY, 'month', authIndex, zone],
    enabled: authIndex !== '',
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const { fromMs, toMs } = resolveRange(namedRange('month'), client.now(), zone);
      const filters = { auth_indices: [authIndex] };
      return (await manager.analytics({ from_ms: fromMs, to_ms: toMs, filters, include: { summary: true } }, signal))
        .summary;
    },
  });
  if (authIndex === '') return null;
  return (
    <p className="row">
      <span className="ink-2">
        {t('range.month')}: {formatCount(data?.total_calls)} ·{' '}
        {data === undefined ? NONE : formatCostSum(data.total_cost, data.unpriced_calls)}
      </span>
      <Link to="/usage-analytics" search={{ time_range: ['month'], auth_index: [authIndex] }} className="link">
        {t('nav.analytics')}
      </Link>
    </p>
  );
}

function Waiting({ row, context }: PartProps) {
  const { t } = useText();
  return (
    <section>
      <h2>{t('accounts.waiting')}</h2>
      <ul className="account-evidence evidence">
        {row.candidates.map((candidate) => (
          <li key={candidate.id}>
            <span className="ink-3 nowrap">
              {shortTime(candidate.lastSeenAtMs, context.nowMs, context.zone, context.locale)}
            </span>
            <Link to="/accounts/actions" search={{ candidate: [String(candidate.id)] }} className="link">
              {reasonText(candidate.reasonCode, candidate.reason, t, context.masker)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Requests of the last 30 days; without an `auth_index` they cannot be distinguished from those of others. */
function Recent({ row, context }: PartProps) {
  const { t } = useText();
  const { manager, client } = useServices();
  const { authIndex } = row.account.listed;
  const query = useQuery({
    queryKey: [ACCOUNTS_KEY, 'recent', authIndex],
    enabled: authIndex !== '',
    staleTime: 30_000,
    queryFn: async ({ signal }) => {
      const to_ms = Math.ceil(client.now());
      const answer = await manager.analytics(
        {
          from_ms: to_ms - RECENT_MS,
          to_ms,
          filters: { auth_indices: [authIndex] },
          include: { events_page: { limit: RECENT } },
        },
        signal,
      );
      return answer.events?.items ?? [];
    },
  });
  return (
    <section>
      <div className="row" style={{ alignItems: 'baseline' }}>
        <h2>{t('accounts.recent')}</h2>
        <span className="spacer" />
        {authIndex !== '' && (
          <Link to="/monitoring" search={{ range: ['30d'], auth_index: [authIndex] }} className="link">
            {t('accounts.openMonitoring')}
          </Link>
        )}
      </div>
      {authIndex === '' ? (
        <p className="ink-2">{t('accounts.noIndex')}</p>
      ) : (
        <SourceView source={fromQuery(query)} loading={<DrawerSkeleton />} errorTitle={t('accounts.recentFailed')}>
          {(events) =>
            events.length === 0 ? (
              <p className="ink-2">{t('accounts.noRequests')}</p>
            ) : (
              <ul className="evidence">
                {events.map((event) => (
                  <RecentLine key={event.event_hash} event={event} context={context} />
                ))}
              </ul>
            )
          }
        </SourceView>
      )}
    </section>
  );
}

function RecentLine({ event, context }: { readonly event: EventRow; readonly context: CellContext }) {
  const { t } = useText();
  const status = event.failed ? failureWord(event, t) : t('accounts.okWord');
  return (
    <li>
      <Link
        to="/monitoring/event/$eventHash"
        params={{ eventHash: event.event_hash }}
        search={{ at: [String(event.timestamp_ms)] }}
      >
        <span className="ink-3 nowrap">
          {shortTime(event.timestamp_ms, context.nowMs, context.zone, context.locale)}
        </span>
        <Status tone={eventTone(event)}>{status}</Status>
        <span className="ellipsis">{shown(event.model)}</span>
        <span className="ink-3 nowrap">{formatDuration(event.latency_ms)}</span>
        <span className="ink-3 nowrap">{t('accounts.tokens', { tokens: formatCompact(event.total_tokens) })}</span>
      </Link>
    </li>
  );
}
