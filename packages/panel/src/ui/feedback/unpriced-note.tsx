import { useNow } from '../../platform/browser/clock.ts';
import { unpricedBanner } from './banner.ts';
import { BannerNote } from './banner-note.tsx';
import { useDismissed } from './dismissed.ts';

/** Above the costs of a range that leave requests out, because their models have no price. */
export function UnpricedNote({ requests = 0 }: { readonly requests: number | undefined }) {
  const nowMs = Math.floor(useNow() / 60_000) * 60_000;
  const [isDismissed, dismiss] = useDismissed(nowMs);
  const banner = unpricedBanner(requests);
  if (banner === null || isDismissed(banner)) return null;
  return <BannerNote banner={banner} nowMs={nowMs} onDismiss={() => dismiss(banner)} />;
}
