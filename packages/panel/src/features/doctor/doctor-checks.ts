import type { TextKey } from '../../platform/i18n/index.ts';
import {
  checkCollector,
  checkCompleteness,
  checkConsumption,
  checkGaps,
  checkVisible,
  checkWriting,
} from './collection-checks.ts';
import {
  checkClock,
  checkGateway,
  checkGatewayClock,
  checkGatewayVersion,
  checkManager,
  checkRetention,
  checkSetup,
  checkStatistics,
  checkVersions,
} from './connection-checks.ts';
import type { CheckTone, DoctorFacts, Finding } from './doctor-facts.ts';
import { checkDatabase, checkMaintenance, checkMigration, checkRecords } from './storage-checks.ts';

interface Check {
  readonly title: TextKey;
  readonly run: (facts: DoctorFacts) => Finding;
  /** Also applies without a manager. */
  readonly alone?: true;
}

/** Along the way of an event, from the manager over the gateway to the page. */
const GROUPS: readonly { readonly title: TextKey; readonly checks: Readonly<Record<string, Check>> }[] = [
  {
    title: 'doctor.groupManager',
    checks: {
      manager: { title: 'doctor.manager', run: checkManager },
      setup: { title: 'doctor.setup', run: checkSetup },
      versions: { title: 'doctor.versions', run: checkVersions },
    },
  },
  {
    title: 'doctor.groupUpstream',
    checks: {
      upstream: { title: 'doctor.upstream', run: checkGateway, alone: true },
      upstreamVersion: { title: 'doctor.upstreamVersion', run: checkGatewayVersion, alone: true },
      statistics: { title: 'doctor.statistics', run: checkStatistics },
      retention: { title: 'doctor.retention', run: checkRetention },
      gatewayClock: { title: 'doctor.gatewayClock', run: checkGatewayClock },
    },
  },
  {
    title: 'doctor.groupCollection',
    checks: {
      collector: { title: 'doctor.collector', run: checkCollector },
      consumption: { title: 'doctor.consumption', run: checkConsumption },
      writing: { title: 'doctor.writing', run: checkWriting },
      completeness: { title: 'doctor.completeness', run: checkCompleteness },
      gaps: { title: 'doctor.gaps', run: checkGaps },
      visible: { title: 'doctor.visible', run: checkVisible },
    },
  },
  {
    title: 'doctor.groupStorage',
    checks: {
      migration: { title: 'doctor.migration', run: checkMigration },
      maintenance: { title: 'doctor.maintenance', run: checkMaintenance },
      database: { title: 'doctor.database', run: checkDatabase },
      records: { title: 'doctor.records', run: checkRecords },
    },
  },
  { title: 'doctor.groupBrowser', checks: { clock: { title: 'doctor.clock', run: checkClock, alone: true } } },
];

export interface CheckResult {
  readonly id: string;
  readonly title: TextKey;
  readonly finding: Finding;
}

export interface CheckGroup {
  readonly title: TextKey;
  readonly results: readonly CheckResult[];
}

export function runChecks(facts: DoctorFacts): readonly CheckGroup[] {
  return GROUPS.map((group) => ({
    title: group.title,
    results: Object.entries(group.checks)
      .filter(([, { alone }]) => facts.managed || alone === true)
      .map(([id, check]) => ({ id, title: check.title, finding: check.run(facts) })),
  })).filter(({ results }) => results.length > 0);
}

/** Checks that found nothing, apart from those to look at. */
export function splitGood(groups: readonly CheckGroup[]): {
  readonly open: readonly CheckGroup[];
  readonly good: readonly CheckResult[];
} {
  const isGood = ({ finding }: CheckResult) => finding.tone === 'ok';
  return {
    open: groups
      .map((group) => ({ ...group, results: group.results.filter((result) => !isGood(result)) }))
      .filter(({ results }) => results.length > 0),
    good: groups.flatMap(({ results }) => results.filter(isGood)),
  };
}

/** Findings, problems before warnings, limited to what fits in place of rows. */
export function problemsOf(groups: readonly CheckGroup[], most = 3): readonly CheckResult[] {
  const results = groups.flatMap((group) => group.results);
  const of = (tone: CheckTone) => results.filter(({ finding }) => finding.tone === tone);
  return [...of('bad'), ...of('warn')].slice(0, most);
}

export interface DoctorVerdict {
  readonly tone: Extract<CheckTone, 'ok' | 'warn' | 'bad' | 'wait'>;
  readonly problems: number;
  readonly warnings: number;
  /** The first problem on the way of an event, which often causes the later ones. */
  readonly first: CheckResult | null;
}

export function verdictOf(groups: readonly CheckGroup[]): DoctorVerdict {
  const results = groups.flatMap((group) => group.results);
  const of = (tone: CheckTone) => results.filter((result) => result.finding.tone === tone);
  const [bad, warn] = [of('bad'), of('warn')];
  const counts = { problems: bad.length, warnings: warn.length, first: bad[0] ?? warn[0] ?? null };
  if (bad.length > 0) return { tone: 'bad', ...counts };
  if (warn.length > 0) return { tone: 'warn', ...counts };
  return { tone: of('wait').length > 0 ? 'wait' : 'ok', ...counts };
}
