import type { EventRow } from '@manager/core/contract/monitoring';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/index.ts';
import {
  durationTone,
  formatCompact,
  formatCost,
  formatCount,
  formatDuration,
  formatRate,
  NONE,
  tokensPerSecond,
} from '../../ui/format.ts';
import type { Masker } from '../../ui/mask.ts';
import { shown } from '../../ui/shown.ts';
import { Status } from '../../ui/status.tsx';
import { dateAndTime, timeOfDay } from '../../ui/time.ts';
import type { ColumnId } from './columns.ts';
import { eventCost, type Pricing } from './event-cost.ts';
import { cachedTokens, eventNames, eventTone, firstTokenMs, requestedModel, resolvedModel } from './event-view.ts';

export interface CellContext {
  readonly aliases: ReadonlyMap<string, string>;
  readonly masker: Masker;
  readonly zone: string;
  readonly locale: string;
  /** The range spans several days: times carry the date. */
  readonly dated: boolean;
  /** Absent = not known (yet), or not asked for. */
  readonly pricing?: Pricing | undefined;
}

export function EventStatus({ event }: { readonly event: EventRow }) {
  const { t } = useText();
  const word = event.failed ? String(event.fail_status_code ?? t('event.failed')) : t('event.ok');
  return <Status tone={eventTone(event)}>{word}</Status>;
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

/** null = no price, nothing to bill, or the prices are not here. */
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
      const names = eventNames(event, context.aliases, context.masker);
      const second = [names.provider, names.key].filter((part) => part !== '').join(' · ');
      return (
        <>
          {names.account || NONE} <span className="ink-3">{second}</span>
        </>
      );
    }
    case 'account':
      return <span className="ink-2">{eventNames(event, context.aliases, context.masker).account || NONE}</span>;
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
  }
}

/** Full text of a cell that may end in an ellipsis; exact numbers behind shortened ones. */
export function cellTitle(id: ColumnId, event: EventRow, context: CellContext): string | undefined {
  switch (id) {
    case 'source': {
      const names = eventNames(event, context.aliases, context.masker);
      return [names.account, names.provider, names.key].filter((part) => part !== '').join(' · ');
    }
    case 'account':
      return eventNames(event, context.aliases, context.masker).account;
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
    default:
      return undefined;
  }
}
