import type { InspectionResult } from '@manager/core/contract/inspection/runs';
import { useText } from '../../../platform/i18n/index.ts';
import { leftPercent, timeLeftPercent } from './quota-view.ts';

type Window = NonNullable<InspectionResult['quotaWindows']>[number];

const LOW_PERCENT = 20;

/** Quota left in a window; the mark is the time left: a fill short of the mark runs out early. */
export function QuotaBar({ window, nowMs }: { readonly window: Window; readonly nowMs: number }) {
  const { t } = useText();
  const left = leftPercent(window);
  if (left === null) return <span className="ink-3">{t('inspectionQuota.unknown')}</span>;
  const state = left <= 0 ? 'spent' : left < LOW_PERCENT ? 'low' : 'fine';
  const time = timeLeftPercent(window, nowMs);
  return (
    <span className="row">
      <span className="bar" data-state={state}>
        <i style={{ width: `${left}%` }} />
        {time !== null && <u style={{ left: `${time}%` }} />}
      </span>
      <span
        style={{ width: 36, textAlign: 'right' }}
        className={state === 'spent' ? 'tone-bad' : state === 'low' ? 'tone-warn' : undefined}
      >
        {Math.round(left)}%
      </span>
    </span>
  );
}
