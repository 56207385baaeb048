import { compareReleases } from '@manager/core/versions';
import { Link } from '@tanstack/react-router';
import { formatShare } from '../../platform/format/format.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useLatestGateway } from '../../platform/queries/latest-gateway.ts';
import { useGateway, useHost, useStatus } from '../../platform/queries/queries.ts';
import { Status } from '../../ui/display/status.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { accountName, accountSearch } from './account-link.ts';
import type { Verdict } from './dashboard-view.ts';

const FAILURES = { status: ['failed'], tab: ['failures'] };

/** One sentence about now, and its source. null = not loaded yet. */
export function VerdictLine({ verdict }: { readonly verdict: Verdict | null }) {
  const { t } = useText();
  const masker = useMasker();
  const stored = useStatus().data?.events;
  if (verdict === null) {
    return (
      <div className="note" aria-busy="true">
        <span className="skeleton" style={{ width: 280 }} />
      </div>
    );
  }
  const { worst, others } = verdict;
  return (
    <Note tone={verdict.tone} fact={t(verdict.fact)} action={<Versions />}>
      {worst === undefined
        ? t(verdict.text, verdict.values)
        : t('verdict.worstText', {
            account: [worst.auth_provider_snapshot, accountName(worst, masker)].filter(Boolean).join(' · '),
            share: formatShare(worst.failure_rate),
          })}{' '}
      {others !== undefined && `${t('verdict.others', { count: others.count, accounts: others.text })} `}
      {verdict.fact === 'verdict.degraded' && (
        <Link to="/monitoring" search={(worst && accountSearch(worst, FAILURES)) ?? FAILURES} className="link">
          {t('verdict.openFailures')}
        </Link>
      )}
      {verdict.fact === 'verdict.quiet' && stored === 0 && (
        <Link to="/first-request" search={{}} className="link">
          {t('verdict.sendOne')}
        </Link>
      )}
    </Note>
  );
}

/** Versions of manager and gateway; problems are named, the rest is on the system page. */
function Versions() {
  const { t } = useText();
  const host = useHost();
  const gateway = useGateway();
  const latest = useLatestGateway();
  if (host.data?.kind !== 'manager') return null;
  const { version } = host.data.info;
  const running = gateway.data?.version ?? '';
  const newest = latest.data?.version ?? '';
  const details = [
    t('dashboard.panelVersion', { version: __PANEL_VERSION__ }),
    gateway.data?.buildDate ? t('dashboard.upstreamBuilt', { date: gateway.data.buildDate }) : '',
  ];
  return (
    <Link
      to="/system"
      search={{}}
      className="row small ink-3 nowrap only-wide"
      title={details.filter(Boolean).join('\n')}
    >
      {compareReleases(__PANEL_VERSION__, version) !== 0 && (
        <Status tone="warn">{t('dashboard.versionsDiffer')}</Status>
      )}
      {compareReleases(newest, running) > 0 && (
        <span className="tag">{t('dashboard.update', { version: newest })}</span>
      )}
      <span>
        {running === ''
          ? t('shell.managerVersion', { version })
          : t('dashboard.versions', { manager: version, upstream: running })}
      </span>
    </Link>
  );
}
