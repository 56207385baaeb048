import { Link } from '@tanstack/react-router';
import { formatCount } from '../../platform/format/format.ts';
import { shown } from '../../platform/format/shown.ts';
import { shortTime } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { Button } from '../controls/button.tsx';
import { Marked } from '../display/marked.tsx';
import type { Banner } from './banner.ts';
import { Note } from './note.tsx';

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
  const { counts = {}, times = {}, words, also = [], detail = '' } = banner;
  const values = {
    ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, formatCount(count)])),
    // The plural form follows the number of requests.
    ...(counts.requests === undefined ? {} : { count: counts.requests }),
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
