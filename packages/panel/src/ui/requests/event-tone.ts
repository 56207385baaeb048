import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { type Failed, isCancelled } from '../../platform/requests/event-view.ts';
import type { StatusTone } from '../display/status.tsx';

/** Tone of a failure: no alarm where the client canceled. */
export const failureTone = (failure: Failed): StatusTone => (isCancelled(failure) ? 'off' : 'bad');

export const eventTone = (event: Failed & Pick<EventRow, 'failed'>): StatusTone =>
  event.failed ? failureTone(event) : 'okQuiet';
