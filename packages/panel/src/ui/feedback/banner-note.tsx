import { Link } from '@tanstack/react-router';
import { formatCount } from '../../platform/format/format.ts';
import { shown } from '../../platform/format/shown.ts';
import { shortTime } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { useEnablePublishing } from '../../platform/queries/publishing.ts';
import { Button } from '../controls/button.tsx';
import { Marked } from '../display/marked.tsx';
import type { Banner } from './banner.ts';
import { Note } from './note.tsx';
import { failureText, useSpan } from './states.tsx';

/** One banner as a note, with its action. */
export function BannerNote({
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
  const span = useSpan();
  const { counts = {}, times = {}, spans = {}, words, also = [], detail = '' } = banner;
  const values = {
    ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, formatCount(count)])),
    // The plural form follows the number of requests.
    ...(counts.requests === undefined ? {} : { count: counts.requests }),
    ...Object.fromEntries(Object.entries(times).map(([name, time]) => [name, shortTime(time, nowMs, zone, locale)])),
    ...Object.fromEntries(Object.entries(spans).map(([name, ms]) => [name, span(ms)])),
    ...words,
  };
  return (
    <Note
      tone={banner.tone}
      fact={t(banner.fact, values)}
      onDismiss={banner.dismiss === undefined ? undefined : onDismiss}
      dismissLabel={t('common.dismiss')}
      action={<BannerAction banner={banner} />}
    >
      <Marked text={[banner.text, ...also].map((text) => t(text, values)).join(' ')} />
      {counts.lost !== undefined && ` ${t('note.estimatedLost', { lost: formatCount(counts.lost) })}`}
      {detail !== '' && <span className="mono ink-3"> {shown(masker.text(detail))}</span>}
    </Note>
  );
}

function BannerAction({ banner }: { readonly banner: Banner }) {
  const { t } = useText();
  if (banner.action === 'reload') return <Button onClick={() => window.location.reload()}>{t('note.reload')}</Button>;
  if (banner.action === 'publish') return <PublishButton />;
  if (banner.to === undefined || banner.link === undefined) return null;
  return (
    <Link to={banner.to} search={banner.search ?? {}} className="link">
      {t(banner.link)}
    </Link>
  );
}

function PublishButton() {
  const { t } = useText();
  const enable = useEnablePublishing();
  const failure = enable.error === null ? null : failureText(enable.error);
  return (
    <>
      {failure !== null && (
        <span className="form-error" role="alert">
          {t('doctor.enableFailed')} {t(failure.key, failure.values)}
        </span>
      )}
      <Button disabled={enable.isPending} aria-busy={enable.isPending} onClick={() => enable.mutate()}>
        {t('note.publish')}
      </Button>
    </>
  );
}
