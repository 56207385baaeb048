import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useFailedArchiveRuns, useUpstreamMisses } from '../../api/banner-queries.ts';
import { useConfig, useHost, useStatus } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { Marked } from '../../ui/marked.tsx';
import { Note } from '../../ui/note.tsx';
import { shown } from '../../ui/shown.ts';
import { shortTime } from '../../ui/time.ts';
import { useNow } from '../clock.ts';
import { useMasker } from '../masking.ts';
import { useTimeZone } from '../preferences.ts';
import { useServices } from '../services.ts';
import { type Banner, bannersOf, foldBanners } from './banner-list.ts';
import { useDismissed } from './dismissed.ts';

/** Above the content of every page, only when something is wrong; one line per kind, each with its fix. */
export function Banners() {
  const { t } = useText();
  const { client } = useServices();
  const status = useStatus();
  const config = useConfig();
  const host = useHost();
  const upstreamMisses = useUpstreamMisses();
  const failedRuns = useFailedArchiveRuns();
  const [all, setAll] = useState(false);
  // To the minute: the banners need not be rendered every second.
  const nowMs = Math.floor(useNow() / 60_000) * 60_000;
  const [isDismissed, dismiss] = useDismissed(nowMs);
  const banners = bannersOf({
    panelVersion: __PANEL_VERSION__,
    info: host.data?.kind === 'manager' ? host.data.info : undefined,
    status: status.data,
    config: config.data,
    upstreamMisses,
    failedRuns,
    skewMs: client.skewMs(),
    insecure: isInsecure(),
    nowMs,
  }).filter((banner) => !isDismissed(banner));
  const { first, folded } = foldBanners(banners);
  return (
    <>
      {(all ? banners : first).map((banner) => (
        <BannerNote key={banner.kind} banner={banner} nowMs={nowMs} onDismiss={() => dismiss(banner)} />
      ))}
      {folded.length > 0 && (
        <div className="banners-more">
          <Button kind="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? t('note.fewer') : t('note.more', { count: folded.length })}
          </Button>
        </div>
      )}
    </>
  );
}

function BannerNote({
  banner,
  nowMs,
  onDismiss,
}: {
  readonly banner: Banner;
  readonly nowMs: number;
  readonly onDismiss: () => void;
}) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const masker = useMasker();
  const { counts = {}, times = {}, words, also = [], detail = '' } = banner;
  const values = {
    ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, formatCount(count)])),
    ...Object.fromEntries(Object.entries(times).map(([name, time]) => [name, shortTime(time, nowMs, zone, locale)])),
    ...words,
  };
  return (
    <Note
      tone={banner.tone}
      fact={t(banner.fact, values)}
      onDismiss={banner.dismiss === undefined ? undefined : onDismiss}
      action={
        banner.action === 'reload' ? (
          <Button onClick={() => window.location.reload()}>{t('note.reload')}</Button>
        ) : (
          banner.to !== undefined &&
          banner.link !== undefined && (
            <Link to={banner.to} search={banner.search ?? {}} className="link">
              {t(banner.link)}
            </Link>
          )
        )
      }
    >
      <Marked text={[banner.text, ...also].map((text) => t(text, values)).join(' ')} />
      {counts.lost !== undefined && ` ${t('note.estimatedLost', { lost: formatCount(counts.lost) })}`}
      {detail !== '' && <span className="mono ink-3"> {shown(masker.text(detail))}</span>}
    </Note>
  );
}

/** Keys travel in clear on plain HTTP, unless the page is on this very machine. */
function isInsecure(): boolean {
  const { protocol, hostname } = window.location;
  return protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
