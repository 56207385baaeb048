import { useNow } from '../../platform/browser/clock.ts';
import { unpricedBanner } from './banner.ts';
import { BannerNote } from './banner-note.tsx';
import { useDismissed } from './dismissed.ts';

/** Above costs that leave out unpriced requests. */
export function UnpricedNote({ requests = 0 }: { readonly requests: number | undefined }) {
  const nowMs = Math.floor(useNow() / 60_000) * 60_000;
  const [isDismissed, dismiss] = useDismissed(nowMs);
  const banner = unpricedBanner(requests);
  if (banner === null || isDismissed(banner)) return null;
  return <BannerNote banner={banner} nowMs={nowMs} onDismiss={() => dismiss(banner)} />;
}
