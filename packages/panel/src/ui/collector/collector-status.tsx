import { useManaged } from '../../platform/api/services.ts';
import { useNow } from '../../platform/browser/clock.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useStatus } from '../../platform/queries/queries.ts';
import { Status } from '../display/status.tsx';
import { useSpan } from '../feedback/states.tsx';
import { collectorState } from './collector-state.ts';

export function CollectorStatus() {
  const { t } = useText();
  const status = useStatus();
  const state = collectorState(status.data);
  // A gateway alone has no collector.
  if (!useManaged()) return null;
  return (
    <span className="row small nowrap">
      <Status tone={state.tone}>{t(state.label)}</Status>
      <LastEventAge lastEventMs={state.lastEventMs} known={status.data !== undefined} />
    </span>
  );
}

export function LastEventAge({ lastEventMs, known }: { readonly lastEventMs: number | null; readonly known: boolean }) {
  const { t } = useText();
  const span = useSpan();
  const now = useNow();
  if (!known) return null;
  return (
    <span className="ink-3 last-event">
      {lastEventMs === null ? t('collector.noEvent') : t('collector.lastEvent', { span: span(now - lastEventMs) })}
    </span>
  );
}
