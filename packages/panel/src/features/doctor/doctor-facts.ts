import type { ConfigResponse } from '@manager/core/contract/settings/config';
import type { HealthResponse, InfoResponse } from '@manager/core/contract/system/info';
import type { StatusResponse } from '@manager/core/contract/system/status';
import type { UpstreamAnswer } from '../../platform/api/manager.ts';
import type { TextKey } from '../../platform/i18n/index.ts';
import type { StatusTone } from '../../ui/display/status.tsx';
import type { Movement } from './movement.ts';

/** An answer, or what is known instead. */
export type Probe<T> =
  | { readonly kind: 'pending' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'known'; readonly value: T };

/** Everything the checks look at. */
export interface DoctorFacts {
  /** There is a manager; without one only the gateway itself is checked. */
  readonly managed: boolean;
  readonly health: Probe<HealthResponse>;
  readonly info: Probe<InfoResponse>;
  readonly upstream: Probe<UpstreamAnswer>;
  readonly config: Probe<ConfigResponse>;
  readonly status: Probe<StatusResponse>;
  readonly movement: Movement;
  readonly panelVersion: string;
  /** Server minus browser clock, ms. */
  readonly skewMs: number;
  readonly nowMs: number;
}

export type CheckTone = Extract<StatusTone, 'ok' | 'warn' | 'bad' | 'wait' | 'unknown' | 'off'>;

export type DoctorAction =
  | {
      readonly kind: 'link';
      readonly to: string;
      readonly search?: Readonly<Record<string, string[]>>;
      readonly label: TextKey;
    }
  /** Turns on the usage statistics of the upstream. */
  | { readonly kind: 'statistics' }
  | { readonly kind: 'reload' };

/** Outcome of one check: what was found, and what to do about it. */
export interface Finding {
  readonly tone: CheckTone;
  readonly text: TextKey;
  /** Counts and times are raw; the view formats them. */
  readonly words?: Readonly<Record<string, string>>;
  /** Words that are texts themselves. */
  readonly names?: Readonly<Record<string, TextKey>>;
  readonly counts?: Readonly<Record<string, number>>;
  /** Instants, ms. */
  readonly times?: Readonly<Record<string, number | null>>;
  /** Spans, ms. */
  readonly spans?: Readonly<Record<string, number>>;
  readonly fix?: TextKey;
  /** Words of the server. */
  readonly detail?: string;
  readonly action?: DoctorAction;
  /** Why it could not be checked. */
  readonly error?: unknown;
}

export const link = (to: string, label: TextKey, search?: Readonly<Record<string, string[]>>): DoctorAction => ({
  kind: 'link',
  to,
  label,
  ...(search === undefined ? {} : { search }),
});

/** While the answer is on its way, or when it failed; `look` judges the answer itself. */
export function judge<T>(probe: Probe<T>, look: (value: T) => Finding): Finding {
  switch (probe.kind) {
    case 'pending':
      return { tone: 'wait', text: 'doctor.asking' };
    case 'failed':
      return { tone: 'unknown', text: 'doctor.notChecked', error: probe.error };
    case 'known':
      return look(probe.value);
  }
}
