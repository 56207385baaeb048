import { useNow } from '../../platform/browser/clock.ts';
import { dateAndTime } from '../../platform/format/time.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { useSpan } from '../feedback/states.tsx';
import type { NextRun } from './schedule-view.ts';

/** When the schedule starts next: in the panel's time zone, and in its own where different. */
export function NextRunText({
  next,
  scheduleZone,
}: {
  readonly next: NextRun;
  readonly scheduleZone?: string | undefined;
}) {
  const { t, locale } = useText();
  const zone = useTimeZone();
  const span = useSpan();
  const now = useNow();
  switch (next.kind) {
    case 'off':
      return t('inspectionSettings.nextOff');
    case 'unknown':
      return t('inspectionSettings.nextUnknown');
    case 'soon':
      return t('inspectionSettings.nextSoon');
    case 'at': {
      const own = `${dateAndTime(next.ms, zone, locale)} ${zone}`;
      const there =
        scheduleZone === undefined || scheduleZone === zone
          ? ''
          : ` (${dateAndTime(next.ms, scheduleZone, locale)} ${scheduleZone})`;
      return `${own}${there} · ${t('inspectionSettings.nextIn', { span: span(next.ms - now) })}`;
    }
  }
}
