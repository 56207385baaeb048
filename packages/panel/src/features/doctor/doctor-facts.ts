import type { ConfigResponse } from '@manager/core/contract/settings/config';
import type { HealthResponse, InfoResponse } from '@manager/core/contract/system/info';
import type { StatusResponse } from '@manager/core/contract/system/status';
import type { GatewayAnswer } from '../../platform/api/manager.ts';
import type { TextKey } from '../../platform/i18n/index.ts';
import type { StatusTone } from '../../ui/display/status.tsx';
import type { Movement } from './movement.ts';

/** An answer, or why it is missing. */
export type Probe<T> =
  | { readonly kind: 'pending' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'known'; readonly value: T };

/** All input of the checks. */
export interface DoctorFacts {
  /** Whether there is a manager; without one only the gateway itself is checked. */
  readonly managed: boolean;
  readonly health: Probe<HealthResponse>;
  readonly info: Probe<InfoResponse>;
  readonly gateway: Probe<GatewayAnswer>;
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
  /** Turns on the gateway's usage statistics. */
  | { readonly kind: 'statistics' }
  | { readonly kind: 'reload' };

/** Result of one check: finding and solution. */
export interface Finding {
  readonly tone: CheckTone;
  readonly text: TextKey;
  /** Counts and times are raw; the view formats them. */
  readonly words?: Readonly<Record<string, string>>;
  /** Values that are text keys. */
  readonly names?: Readonly<Record<string, TextKey>>;
  readonly counts?: Readonly<Record<string, number>>;
  /** Instants, ms. */
  readonly times?: Readonly<Record<string, number | null>>;
  /** Durations, ms. */
  readonly spans?: Readonly<Record<string, number>>;
  readonly fix?: TextKey;
  /** Text of the server. */
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

/** Handles a loading or failed answer; `look` judges a successful one. */
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
