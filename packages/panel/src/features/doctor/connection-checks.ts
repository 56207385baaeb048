import { compareReleases, isAtLeast } from '@manager/core/versions';
import { ApiError } from '../../platform/api/errors.ts';
import type { GatewayAnswer } from '../../platform/api/manager.ts';
import { SKEW_LIMIT_MS } from '../../platform/browser/clock.ts';
import { NONE } from '../../platform/format/format.ts';
import { isNoConnection, NO_CONNECTION } from '../../platform/wording/connection-failure.ts';
import { KEY_REFUSALS } from '../../platform/wording/key-refusal.ts';
import { type DoctorFacts, type Finding, judge, link } from './doctor-facts.ts';

/** From this version on the gateway has the HTTP queue. */
const HTTP_QUEUE_SINCE = '6.10.8';
/** From this version on it reports whether it publishes, and delivers what it queued meanwhile. */
const RECOMMENDED = '7.1.39';

const SETTINGS = link('/settings', 'note.openSettings');
const COLLECTOR = link('/settings', 'note.openSettings', { tab: ['collector'] });

export function checkManager({ health }: DoctorFacts): Finding {
  if (health.kind === 'failed') {
    return { tone: 'bad', text: 'doctor.managerDown', fix: 'doctor.managerFix', error: health.error };
  }
  return judge(health, () => ({ tone: 'ok', text: 'doctor.managerUp' }));
}

export function checkSetup({ info }: DoctorFacts): Finding {
  return judge(info, ({ configured, dataKeyReady }) => {
    if (!dataKeyReady) return { tone: 'bad', text: 'doctor.keyLost', fix: 'doctor.keyLostFix', action: SETTINGS };
    if (configured) return { tone: 'ok', text: 'doctor.setUp' };
    return {
      tone: 'bad',
      text: 'doctor.notSetUp',
      fix: 'doctor.notSetUpFix',
      action: link('/setup', 'doctor.openSetup'),
    };
  });
}

export function checkVersions({ info, panelVersion }: DoctorFacts): Finding {
  return judge(info, ({ version }) => {
    const words = { panel: panelVersion, server: version || NONE };
    const difference = compareReleases(panelVersion, version);
    if (difference === 0) return { tone: 'ok', text: 'doctor.versionsFit', words };
    return difference < 0
      ? { tone: 'warn', text: 'doctor.versionsDiffer', fix: 'doctor.panelOldFix', words, action: { kind: 'reload' } }
      : { tone: 'warn', text: 'doctor.versionsDiffer', fix: 'doctor.managerOldFix', words };
  });
}

/** Answers that mean a refused key: of the gateway itself, or of the manager that no longer sends it. */
const REFUSED = /management key|remote management|banned/i;

/** The gateway answers, and accepts the saved key. */
export function checkGateway({ gateway, status, managed }: DoctorFacts): Finding {
  if (gateway.kind !== 'failed') return judge(gateway, () => ({ tone: 'ok', text: 'doctor.upstreamUp' }));
  const { error } = gateway;
  const code = error instanceof ApiError ? error.code : '';
  const detail = error instanceof ApiError && error.kind === 'status' ? error.message : '';
  if (code === 'usage_service_not_configured') {
    return {
      tone: 'bad',
      text: 'doctor.noUpstream',
      fix: 'doctor.notSetUpFix',
      action: link('/setup', 'doctor.openSetup'),
    };
  }
  if (code === 'upstream_loop_detected') {
    return { tone: 'bad', text: 'doctor.loop', fix: 'doctor.loopFix', action: SETTINGS };
  }
  const refused = status.kind === 'known' ? status.value.collector.keyRefused : undefined;
  if (refused !== undefined && refused.reason !== 'key_rejected') {
    const { fact, text } = KEY_REFUSALS[refused.reason];
    return { tone: 'bad', text: fact, fix: text, times: { next: refused.nextTryAtMs }, action: SETTINGS };
  }
  if (refused !== undefined || REFUSED.test(detail)) {
    const reason = (status.kind === 'known' && status.value.collector.lastError) || detail;
    return {
      tone: 'bad',
      text: 'doctor.keyRefused',
      fix: 'doctor.keyRefusedFix',
      detail: reason,
      action: link('/settings', 'note.saveKey'),
    };
  }
  return {
    tone: 'bad',
    ...(isNoConnection(code)
      ? { text: 'doctor.upstreamUnusable', fix: NO_CONNECTION[code] }
      : { text: 'doctor.upstreamDown', fix: 'doctor.upstreamDownFix' }),
    ...(detail === '' ? { error } : { detail }),
    // The address of a gateway alone is chosen at the sign-in.
    ...(managed ? { action: SETTINGS } : {}),
  };
}

/** Checks that depend on the gateway's answer are skipped without one; the gateway's own check shows why. */
function ofGateway({ gateway }: DoctorFacts, look: (answer: GatewayAnswer) => Finding): Finding {
  return gateway.kind === 'failed' ? { tone: 'unknown', text: 'doctor.needsUpstream' } : judge(gateway, look);
}

export function checkGatewayVersion(facts: DoctorFacts): Finding {
  return ofGateway(facts, ({ version }) => {
    const words = { version: version.slice(0, 40), queue: HTTP_QUEUE_SINCE, recommended: RECOMMENDED };
    const queue = isAtLeast(version, HTTP_QUEUE_SINCE);
    if (queue === null)
      return { tone: 'unknown', text: 'doctor.versionUnknown', fix: 'doctor.versionUnknownFix', words };
    if (!queue) return { tone: 'warn', text: 'doctor.versionOld', fix: 'doctor.versionOldFix', words };
    return isAtLeast(version, RECOMMENDED) === true
      ? { tone: 'ok', text: 'doctor.versionGood', words }
      : { tone: 'warn', text: 'doctor.versionLow', fix: 'doctor.versionLowFix', words };
  });
}

export function checkStatistics(facts: DoctorFacts): Finding {
  return ofGateway(facts, ({ usageStatistics }) => {
    if (usageStatistics === null) return { tone: 'unknown', text: 'doctor.statisticsUnknown' };
    if (usageStatistics) return { tone: 'ok', text: 'doctor.statisticsOn' };
    return { tone: 'bad', text: 'doctor.statisticsOff', fix: 'doctor.statisticsFix', action: { kind: 'statistics' } };
  });
}

/** Events must be collected before the gateway drops them. */
export function checkRetention({ config }: DoctorFacts): Finding {
  return judge(config, ({ config: { collector }, cpaUsage }) => {
    if (cpaUsage === undefined) return { tone: 'unknown', text: 'doctor.needsUpstream' };
    const seconds = cpaUsage.redisUsageQueueRetentionSeconds;
    const counts = { poll: collector.pollIntervalMs, retention: seconds };
    if (!collector.enabled) return { tone: 'off', text: 'doctor.retentionOff', counts };
    if (collector.pollIntervalMs <= seconds * 1000) {
      const text = cpaUsage.retentionSourceDefault ? 'doctor.retentionAssumed' : 'doctor.retentionFits';
      return { tone: 'ok', text, counts };
    }
    return { tone: 'bad', text: 'doctor.retentionShort', fix: 'doctor.retentionFix', counts, action: COLLECTOR };
  });
}

/** The gateway's clock, which dates events, and the manager's, which judges their times. */
export function checkGatewayClock({ status }: DoctorFacts): Finding {
  return judge(status, ({ gatewayClockAheadMs: aheadMs }) => {
    if (aheadMs === undefined) return { tone: 'ok', text: 'doctor.gatewayClockFits' };
    const text = aheadMs > 0 ? 'doctor.managerClockBehind' : 'doctor.managerClockAhead';
    return { tone: 'warn', text, fix: 'doctor.gatewayClockFix', spans: { difference: Math.abs(aheadMs) } };
  });
}

export function checkClock({ skewMs }: DoctorFacts): Finding {
  const spans = { difference: Math.abs(skewMs) };
  if (Math.abs(skewMs) <= SKEW_LIMIT_MS) return { tone: 'ok', text: 'doctor.clockFits' };
  return { tone: 'warn', text: 'doctor.clockDiffers', fix: 'doctor.clockFix', spans };
}
