import type { StatusResponse } from '@manager/core/contract/system/status';
import { isAtLeast } from '@manager/core/versions';
import { gapFix, gapText } from '../../platform/wording/gap-texts.ts';
import { KEY_REFUSALS } from '../../platform/wording/key-refusal.ts';
import { type DoctorFacts, type Finding, judge, link } from './doctor-facts.ts';

const CONNECTION = link('/settings', 'note.openSettings');
const COLLECTOR = link('/settings', 'note.openSettings', { tab: ['collector'] });
const SYSTEM = link('/system', 'note.openSystem');
/** From this version on the gateway counts the requests of an account, which received events are compared with. */
const COUNTERS_SINCE = '6.9.49';
const SUBSCRIPTION_SINCE = '7.0.7';
const DAY_MS = 86_400_000;

/** Top-level times first, as the oldest managers have them. */
const lastConsumed = (status: StatusResponse): number | null =>
  status.lastConsumedAt || status.collector.lastConsumedAt || null;

const TRANSPORTS = {
  '': 'doctor.transportNone',
  subscribe: 'mode.subscribe',
  http: 'mode.http',
  resp: 'mode.resp',
} as const;

export function checkCollector({ status, gateway }: DoctorFacts): Finding {
  return judge(status, ({ collector, configured }) => {
    const { lastError } = collector;
    if (collector.keyRefused !== undefined) {
      const { reason, tries, nextTryAtMs } = collector.keyRefused;
      if (reason !== 'key_rejected') {
        const { fact, text } = KEY_REFUSALS[reason];
        return { tone: 'bad', text: fact, fix: text, times: { next: nextTryAtMs }, action: CONNECTION };
      }
      return {
        tone: 'bad',
        text: 'doctor.collectorRefused',
        fix: 'doctor.keyRefusedFix',
        counts: { tries },
        times: { next: nextTryAtMs },
        action: link('/settings', 'note.saveKey'),
      };
    }
    if (collector.collector === 'stopped') {
      return configured
        ? { tone: 'warn', text: 'doctor.collectorOff', fix: 'doctor.collectorOffFix', action: COLLECTOR }
        : { tone: 'off', text: 'doctor.collectorUnset' };
    }
    if (lastError.includes("unsupported RESP prefix 'H'")) {
      return {
        tone: 'bad',
        text: 'doctor.respPrefix',
        fix: 'doctor.respPrefixFix',
        detail: lastError,
        action: COLLECTOR,
      };
    }
    if (collector.collector === 'error' || lastError !== '') {
      const writing = lastError.startsWith('consume:');
      return {
        tone: 'bad',
        text: writing ? 'doctor.collectorWrites' : 'doctor.collectorError',
        fix: writing ? 'doctor.writingFix' : 'doctor.collectorErrorFix',
        detail: lastError,
        action: writing ? SYSTEM : COLLECTOR,
      };
    }
    if (collector.collector === 'starting') return { tone: 'wait', text: 'doctor.collectorStarting' };
    return {
      tone: 'ok',
      text: 'doctor.collectorRuns',
      names: { transport: TRANSPORTS[collector.transport] },
      ...pollingAdvice(collector, gateway),
    };
  });
}

/** Every poll costs the gateway a slow check of the key. */
function pollingAdvice(
  { mode, transport }: StatusResponse['collector'],
  gateway: DoctorFacts['gateway'],
): Pick<Finding, 'fix' | 'action'> {
  if (transport !== 'http' && transport !== 'resp') return {};
  if (gateway.kind === 'known' && isAtLeast(gateway.value.version, SUBSCRIPTION_SINCE) === false) return {};
  return mode === 'auto' || mode === 'subscribe'
    ? { fix: 'doctor.pollingAddressFix' }
    : { fix: 'doctor.pollingFix', action: COLLECTOR };
}

/** The only record received may be the confirmation of a subscription. */
const hadEvents = ({ collector, lastInsertedAt }: StatusResponse): boolean =>
  lastInsertedAt !== null || collector.totalInserted + collector.totalSkipped + collector.deadLetters > 0;

export function checkConsumption(facts: DoctorFacts): Finding {
  return judge(facts.status, (status) => {
    const { collector } = status;
    if (collector.collector === 'stopped') return { tone: 'off', text: 'doctor.needsCollector' };
    const atMs = lastConsumed(status);
    const spans = { span: facts.nowMs - (atMs ?? 0) };
    if (atMs !== null && hadEvents(status)) return { tone: 'ok', text: 'doctor.consumed', spans };
    const off = facts.gateway.kind === 'known' && facts.gateway.value.usageStatistics === false;
    if (off) return { tone: 'bad', text: 'doctor.nothingConsumed', fix: 'doctor.statisticsFix' };
    if (atMs !== null) return { tone: 'unknown', text: 'doctor.noEventYet', fix: 'doctor.nothingConsumedFix', spans };
    return { tone: 'warn', text: 'doctor.nothingConsumed', fix: 'doctor.nothingConsumedFix', action: COLLECTOR };
  });
}

/** Compares two samples, ten seconds apart. */
export function checkWriting({ status, movement }: DoctorFacts): Finding {
  return judge(status, ({ collector }) => {
    const counts = { records: collector.spooledRecords };
    if (collector.lastError.startsWith('consume:')) {
      return { tone: 'bad', text: 'doctor.writingFails', fix: 'doctor.writingFix', counts, action: SYSTEM };
    }
    if (collector.collector === 'stopped') return { tone: 'off', text: 'doctor.needsCollector' };
    switch (movement) {
      case 'watching':
        return { tone: 'wait', text: 'doctor.watching' };
      case 'idle':
        return { tone: 'ok', text: 'doctor.writingIdle' };
      case 'flowing':
        return { tone: 'ok', text: 'doctor.writingFlows' };
      case 'stuck':
        return { tone: 'bad', text: 'doctor.writingStuck', fix: 'doctor.writingFix', action: SYSTEM };
    }
  });
}

const STARVED = {
  publishing_off: ['doctor.starvedOff', 'doctor.statisticsFix'],
  no_events: ['doctor.starvedNone', 'doctor.starvedNoneFix'],
  partial: ['doctor.starvedPartial', 'doctor.starvedPartialFix'],
} as const;

/** Whether as many events arrive as the gateway served requests. */
export function checkCompleteness({ status, gateway }: DoctorFacts): Finding {
  return judge(status, ({ collector }) => {
    if (collector.starved) {
      const [text, fix] = STARVED[collector.starvedReason ?? 'no_events'];
      const isOff = collector.starvedReason === 'publishing_off';
      return { tone: 'bad', text, fix, action: isOff ? { kind: 'statistics' } : CONNECTION };
    }
    if (collector.collector === 'stopped') return { tone: 'off', text: 'doctor.needsCollector' };
    const counted = gateway.kind === 'known' ? isAtLeast(gateway.value.version, COUNTERS_SINCE) : null;
    if (counted === false) {
      return { tone: 'off', text: 'doctor.noCounters', fix: 'doctor.noCountersFix', words: { since: COUNTERS_SINCE } };
    }
    return { tone: 'ok', text: 'doctor.complete' };
  });
}

export function checkGaps({ status, nowMs }: DoctorFacts): Finding {
  return judge(status, ({ collector: { gaps } }) => {
    const { last, open, count } = gaps;
    const recent = last !== undefined && (last.toMs ?? nowMs) > nowMs - DAY_MS;
    if (last === undefined) return { tone: 'ok', text: 'doctor.noGaps' };
    const counts = { count };
    if (open.length === 0 && !recent) return { tone: 'ok', text: 'doctor.oldGaps', counts };
    return {
      tone: 'warn',
      text: last.toMs === null ? 'doctor.gapOpen' : 'doctor.gapRecent',
      counts,
      times: { from: last.fromMs, to: last.toMs },
      names: { kind: gapText(last.kind) },
      fix: gapFix(last.kind),
    };
  });
}

/** Events exist: missing ones are hidden by filters or the range. */
export function checkVisible({ status }: DoctorFacts): Finding {
  return judge(status, ({ events, eventCount }) => {
    const stored = eventCount ?? events;
    if (stored === 0) return { tone: 'unknown', text: 'doctor.noEvents', fix: 'doctor.noEventsFix' };
    return {
      tone: 'ok',
      text: 'doctor.stored',
      counts: { events: stored },
      fix: 'doctor.storedFix',
      action: link('/monitoring', 'doctor.lastHour', { range: ['1h'] }),
    };
  });
}
