import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import type { ReactNode } from 'react';
import {
  durationTone,
  formatCompact,
  formatCost,
  formatCount,
  formatDuration,
  formatRate,
  formatShare,
  NONE,
  tokensPerSecond,
} from '../../../platform/format/format.ts';
import type { Masker } from '../../../platform/format/mask.ts';
import { shown } from '../../../platform/format/shown.ts';
import { dateAndTime, timeOfDay } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { diagnose } from '../../../platform/requests/diagnosis.ts';
import { eventCost, type Pricing } from '../../../platform/requests/event-cost.ts';
import {
  cachedTokens,
  eventNames,
  failureStatus,
  failureWord,
  firstTokenMs,
  isBrokenOff,
  requestedModel,
  resolvedModel,
} from '../../../platform/requests/event-view.ts';
import { Status } from '../../../ui/display/status.tsx';
import { eventTone } from '../../../ui/requests/event-tone.ts';
import type { ColumnId } from './columns.ts';
import type { Running } from './running.ts';

export interface CellContext {
  /** By hash. */
  readonly keyNames: ReadonlyMap<string, string>;
  readonly masker: Masker;
  readonly zone: string;
  readonly locale: string;
  /** The range spans several days: times include the date. */
  readonly dated: boolean;
  /** Absent = unknown (yet), or not requested. */
  readonly pricing?: Pricing | undefined;
  /** Recent outcomes of the same source and model, by hash; absent = no column shows them. */
  readonly running?: ReadonlyMap<string, Running> | undefined;
}

export function EventStatus({ event }: { readonly event: EventRow }) {
  const { t } = useText();
  const word = event.failed ? failureStatus(event) || t('event.failed') : t('event.ok');
  const status = <Status tone={eventTone(event)}>{word}</Status>;
  // The column is too narrow for it; the cause is beside the account.
  return event.failed && isBrokenOff(event) ? <span title={failureWord(event, t)}>{status}</span> : status;
}

/** Why a request failed, in a word or two; nothing for a success. */
export function Cause({ event, after = '' }: { readonly event: EventRow; readonly after?: string }) {
  const { t } = useText();
  const diagnosis = diagnose(event);
  return diagnosis === null ? null : <span className="ink-2">{`${t(diagnosis.cause)}${after}`}</span>;
}

const dash = <span className="ink-3">{NONE}</span>;

/** Tokens of a failed request are unknown, not 0. */
function tokens(event: EventRow, count: number, zeroIsKnown: boolean): ReactNode {
  if (count > 0) return formatCompact(count);
  return zeroIsKnown && !event.failed ? '0' : dash;
}

export function Elapsed({ ms }: { readonly ms: number | null }) {
  const tone = durationTone(ms);
  return ms === null ? dash : <span className={tone === null ? undefined : `tone-${tone}`}>{formatDuration(ms)}</span>;
}

/** null = unpriced, no tokens, or prices are not loaded. */
export function costText(event: EventRow, pricing: Pricing | undefined): string | null {
  if (pricing === undefined) return null;
  const cost = eventCost(pricing, event);
  return cost.kind === 'priced' ? formatCost(cost.usd) : null;
}

export function eventCell(id: ColumnId, event: EventRow, context: CellContext): ReactNode {
  switch (id) {
    case 'time':
      return (
        <span className="ink-2">
          {context.dated
            ? dateAndTime(event.timestamp_ms, context.zone, context.locale)
            : timeOfDay(event.timestamp_ms, context.zone)}
        </span>
      );
    case 'status':
      return <EventStatus event={event} />;
    case 'source': {
      const names = eventNames(event, context.keyNames, context.masker);
      const second = [names.provider, names.key].filter((part) => part !== '').join(' · ');
      return (
        <>
          {names.account || NONE} <Cause event={event} after={second === '' ? '' : ' · '} />
          <span className="ink-3">{second}</span>
        </>
      );
    }
    case 'account':
      return <span className="ink-2">{eventNames(event, context.keyNames, context.masker).account || NONE}</span>;
    case 'model': {
      const resolved = resolvedModel(event);
      return (
        <>
          {shown(requestedModel(event)) || NONE}
          {resolved !== '' && <span className="ink-3"> → {shown(resolved)}</span>}
        </>
      );
    }
    case 'effort':
      return (
        <span className="ink-2">{`${shown(event.reasoning_effort ?? '') || NONE} · ${shown(event.service_tier ?? '') || NONE}`}</span>
      );
    case 'input':
      return tokens(event, event.input_tokens, true);
    case 'output':
      return tokens(event, event.output_tokens, true);
    case 'cached':
      return <span className="ink-2">{tokens(event, cachedTokens(event), false)}</span>;
    case 'cost':
      return costText(event, context.pricing) ?? dash;
    case 'ttft':
      return <Elapsed ms={firstTokenMs(event)} />;
    case 'elapsed':
      return <Elapsed ms={event.latency_ms} />;
    case 'rate':
      return event.failed ? dash : formatRate(tokensPerSecond(event.output_tokens, event.latency_ms));
    case 'pattern': {
      const recent = context.running?.get(event.event_hash)?.recent;
      return recent === undefined ? dash : <Pattern recent={recent} />;
    }
    case 'running': {
      const running = context.running?.get(event.event_hash);
      if (running === undefined) return dash;
      return (
        <>
          {formatShare(1 - running.failed / running.calls)} <span className="ink-3">{formatCount(running.calls)}</span>
        </>
      );
    }
    default:
      return <span className="ink-2">{plainText(id, event, context) || NONE}</span>;
  }
}

/** Last outcomes, oldest left: failures are taller, so that they are visible without color. */
function Pattern({ recent }: { readonly recent: readonly boolean[] }) {
  const { t } = useText();
  const failed = recent.filter(Boolean).length;
  return (
    <span className="pattern" role="img" aria-label={t('event.pattern', { failed, of: recent.length })}>
      {recent.map((bad, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outcomes have only their position.
        <i key={index} data-failed={bad} />
      ))}
    </span>
  );
}

/** Columns of one text each; those that identify the client are shown with masking off only. */
function plainText(id: ColumnId, event: EventRow, { masker }: CellContext): string {
  switch (id) {
    case 'endpoint':
      return shown(event.endpoint || `${event.method} ${event.path}`.trim());
    case 'authIndex':
      return shown(event.auth_index);
    case 'project':
      return shown(masker.project(event.auth_project_id_snapshot ?? ''));
    case 'executor':
      return shown(event.executor_type ?? '');
    case 'trace':
      return shown(event.header_trace_id ?? '');
    case 'clientIp':
      return masker.on ? '' : shown(event.client_ip ?? '');
    case 'forwardedFor':
      return masker.on ? '' : shown(event.x_forwarded_for ?? '');
    case 'agent':
      return masker.on ? '' : shown(event.user_agent ?? '');
    default:
      return '';
  }
}

/** Full text of a cell that may end in an ellipsis; exact numbers behind shortened ones. */
export function cellTitle(id: ColumnId, event: EventRow, context: CellContext): string | undefined {
  switch (id) {
    case 'source': {
      const names = eventNames(event, context.keyNames, context.masker);
      return [names.account, names.provider, names.key].filter((part) => part !== '').join(' · ');
    }
    case 'account':
      return eventNames(event, context.keyNames, context.masker).account;
    case 'model': {
      const resolved = resolvedModel(event);
      const requested = shown(requestedModel(event));
      return resolved === '' ? requested : `${requested} → ${shown(resolved)}`;
    }
    case 'input':
      return formatCount(event.input_tokens);
    case 'output':
      return formatCount(event.output_tokens);
    case 'cached':
      return formatCount(cachedTokens(event));
    case 'cost':
      return costText(event, context.pricing) ?? undefined;
    default:
      return plainText(id, event, context) || undefined;
  }
}
