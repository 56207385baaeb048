import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { type Failed, isCancelled } from '../../platform/requests/event-view.ts';
import type { StatusTone } from '../display/status.tsx';

/** Of something that failed: no alarm where it was the caller who ended it. */
export const failureTone = (failure: Failed): StatusTone => (isCancelled(failure) ? 'off' : 'bad');

export const eventTone = (event: Failed & Pick<EventRow, 'failed'>): StatusTone =>
  event.failed ? failureTone(event) : 'okQuiet';
