import type { InspectionResult } from '@manager/core/contract/inspection/runs';
import { useText } from '../../../platform/i18n/index.ts';
import { leftPercent, timeLeftPercent } from './quota-view.ts';

type Window = NonNullable<InspectionResult['quotaWindows']>[number];

const LOW_PERCENT = 20;

/** What is left of a window; the mark is the time that is left of it: short of the mark, it runs out early. */
export function QuotaBar({ window, nowMs }: { readonly window: Window; readonly nowMs: number }) {
  const { t } = useText();
  const left = leftPercent(window);
  if (left === null) return <span className="ink-3">{t('inspectionQuota.unknown')}</span>;
  const state = left <= 0 ? 'out' : left < LOW_PERCENT ? 'low' : 'fine';
  const time = timeLeftPercent(window, nowMs);
  return (
    <span className="row health-quota">
      <span className="quota-bar" data-state={state}>
        <i style={{ width: `${left}%` }} />
        {time !== null && <span className="health-quota-mark" style={{ left: `${time}%` }} />}
      </span>
      <span className={state === 'out' ? 'tone-bad' : state === 'low' ? 'tone-warn' : undefined}>
        {Math.round(left)}%
      </span>
    </span>
  );
}
