import type { ReactNode } from 'react';
import { datedDay } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { type Refresh, RefreshButton, TimeZoneMenu } from '../../ui/page/header-parts.tsx';
import { PageFrame } from '../../ui/page/page.tsx';
import { useViewer } from './use-viewer.ts';

interface ViewerPageProps {
  readonly title: string;
  readonly updated?: string;
  readonly refresh: Refresh;
  readonly children: ReactNode;
}

/** A page of a viewer: its header names the link and its end. */
export function ViewerPage({ title, updated, refresh, children }: ViewerPageProps) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const { data } = useViewer();
  const until =
    data === undefined
      ? ''
      : data.expires_at_ms === null
        ? data.name
        : t('viewer.until', { name: data.name, day: datedDay(data.expires_at_ms, zone, locale) });
  return (
    <PageFrame
      title={title}
      state={<span className="small ink-3 ellipsis">{until}</span>}
      actions={
        <>
          <TimeZoneMenu />
          {updated !== undefined && <span className="small ink-3 nowrap">{updated}</span>}
          <RefreshButton {...refresh} />
        </>
      }
      narrowActions={<RefreshButton {...refresh} square />}
    >
      {children}
    </PageFrame>
  );
}
