import type { ArchiveRun } from '@manager/core/contract/archives/runs';
import type { BudgetState } from '@manager/core/contract/budgets';
import type { ConfigResponse } from '@manager/core/contract/settings/config';
import type { InfoResponse } from '@manager/core/contract/system/info';
import type { StatusResponse } from '@manager/core/contract/system/status';
import { compareReleases, isRelease } from '@manager/core/versions';
import { SKEW_LIMIT_MS } from '../../platform/browser/clock.ts';
import { costColumn, formatCostSum, NONE } from '../../platform/format/format.ts';
import type { Banner } from '../../ui/feedback/banner.ts';
import { openGap, statusNotes } from './status-notes.ts';

export interface BannerFacts {
  /** Version of this page. */
  readonly panelVersion: string;
  /** undefined = unknown who serves the page. */
  readonly info: InfoResponse | undefined;
  readonly status: StatusResponse | undefined;
  readonly config: ConfigResponse | undefined;
  /** Consecutive failures of the manager to read the gateway's configuration. */
  readonly gatewayMisses: number;
  /** Failed archive runs. */
  readonly failedRuns: readonly ArchiveRun[];
  /** Budgets of which nothing is left. */
  readonly passedBudgets: readonly BudgetState[];
  /** Server minus browser clock, ms. */
  readonly skewMs: number;
  /** Keys are sent unencrypted. */
  readonly insecure: boolean;
  readonly nowMs: number;
}

/** One failed read may be a restart. */
const FAILED_READS_SHOWN = 2;
function versionBanner({ panelVersion, info }: BannerFacts): Banner[] {
  if (info === undefined || !isRelease(panelVersion)) return [];
  // Managers before the first version of this page send none.
  const server: string | undefined = info.version;
  const difference = server === undefined ? 1 : compareReleases(panelVersion, server);
  if (difference === 0) return [];
  const note = { kind: 'version', tone: 'warn', fact: 'note.versionFact' } as const;
  const words = { panel: panelVersion, server: server ?? NONE };
  return difference < 0
    ? [{ ...note, words, text: 'note.versionPanelOld', action: 'reload' }]
    : [{ ...note, words, text: 'note.versionManagerOld', to: '/system', link: 'note.openSystem' }];
}

/** Every settings request reads the gateway's configuration, so its absence means that the gateway does not answer. */
function isUnreachable({ config, status, gatewayMisses }: BannerFacts): boolean {
  const connection = config?.config.cpaConnection;
  const connected = connection !== undefined && connection.cpaBaseUrl !== '' && connection.managementKeyConfigured;
  // A refused key has its own banner, and refused requests are not repeated.
  return connected && gatewayMisses >= FAILED_READS_SHOWN && status?.collector.keyRefused === undefined;
}

function failedDeletion(runs: readonly ArchiveRun[]): Banner[] {
  const run = runs.find((one) => one.status === 'failed' && one.delete_started_at_ms !== undefined);
  if (run === undefined) return [];
  return [
    {
      kind: 'archiveDeletion',
      tone: 'bad',
      fact: 'note.deletionFact',
      text: 'note.deletionText',
      counts: { done: run.deleted_event_count, all: run.archived_event_count },
      to: '/usage-maintenance',
      search: { run: [run.id] },
      link: 'note.openArchives',
    },
  ];
}

/** Dismissed for these budgets and this month only. */
function budgetBanner(passed: readonly BudgetState[]): Banner[] {
  const [first] = passed;
  if (first === undefined) return [];
  const about = {
    tone: 'warn',
    text: 'note.budgetText',
    to: '/report',
    link: 'note.openReport',
    dismiss: 'day',
  } as const;
  const months = passed.map(({ scope, name, fromMs }) => JSON.stringify([fromMs, scope, name]));
  const kind = `budget:${months.toSorted().join()}`;
  if (passed.length > 1) {
    return [{ ...about, kind, fact: 'note.budgetsFact', counts: { budgets: passed.length } }];
  }
  const cost = costColumn([first.usedUsd, first.usd]);
  const words = { used: formatCostSum(first.usedUsd, first.unpricedCalls, cost), amount: cost(first.usd) };
  return [{ ...about, kind, fact: 'note.budgetFact', words }];
}

function browserBanners({ skewMs, insecure }: BannerFacts): Banner[] {
  const banners: Banner[] = [];
  if (Math.abs(skewMs) > SKEW_LIMIT_MS) {
    banners.push({
      kind: 'skew',
      tone: 'warn',
      fact: 'note.skewFact',
      text: 'note.skewText',
      counts: { minutes: Math.round(Math.abs(skewMs) / 60_000) },
      to: '/doctor',
      link: 'note.openDoctor',
      dismiss: 'day',
    });
  }
  if (insecure)
    banners.push({
      kind: 'insecure',
      tone: 'warn',
      fact: 'note.insecureFact',
      text: 'note.insecureText',
      dismiss: 'ever',
    });
  return banners;
}

/** Problems of the whole system come before those of a part. */
const ORDER = [
  'version',
  'unreachable',
  'collectorError',
  'starved',
  'stopped',
  'gap',
  'keyRefused',
  'poll',
  'spool',
  'maintenance',
  'migrationFailed',
  'migration',
  'archiveDeletion',
  'gatewayClock',
  'deadLetters',
  'implausible',
  'budget',
  'pluginPages',
  'skew',
  'insecure',
];

const kindOf = (banner: Banner): string => banner.kind.split(':', 1)[0] ?? '';

/** A gateway that does not answer is one problem: what follows from it has no banner of its own. */
function withoutConsequences(notes: readonly Banner[], unreachable: boolean): readonly Banner[] {
  const isDown = unreachable || notes.some(({ kind }) => kind === 'collectorError:connect');
  const follows = ({ kind, times }: Banner) =>
    (unreachable && kind === 'collectorError:connect') || (kind.startsWith('gap:') && times?.to === null);
  return isDown ? notes.filter((note) => !follows(note)) : notes;
}

/** Everything an operator must know now, on any page; one for each kind. */
export function bannersOf(facts: BannerFacts): readonly Banner[] {
  const { status, config, nowMs } = facts;
  const notes: readonly Banner[] = status === undefined ? [] : statusNotes(status, config, nowMs);
  const unreachable = isUnreachable(facts);
  const gateway: Banner[] = unreachable
    ? [
        {
          kind: 'unreachable',
          tone: 'bad',
          fact: 'note.connectFact',
          text: 'note.unreachableText',
          ...(status?.collector.lastError ? { detail: status.collector.lastError } : {}),
          ...(status === undefined ? {} : openGap(status)),
          to: '/doctor',
          link: 'note.openDoctor',
        },
      ]
    : [];
  const own = withoutConsequences(notes, unreachable);
  const all = [
    ...versionBanner(facts),
    ...gateway,
    ...own,
    ...failedDeletion(facts.failedRuns),
    ...budgetBanner(facts.passedBudgets),
    ...browserBanners(facts),
  ];
  const place = (banner: Banner) => ORDER.indexOf(kindOf(banner));
  return all.toSorted((a, b) => place(a) - place(b));
}

/** Maximum shown at once; errors are always shown. */
const MAX_AT_ONCE = 3;

/** Splits banners into those shown and those behind a button, each in their order. */
export function foldBanners(banners: readonly Banner[]): {
  readonly first: readonly Banner[];
  readonly folded: readonly Banner[];
} {
  if (banners.length <= MAX_AT_ONCE) return { first: banners, folded: [] };
  let room = Math.max(0, MAX_AT_ONCE - banners.filter((banner) => banner.tone === 'bad').length);
  const first = new Set<Banner>();
  for (const banner of banners) {
    if (banner.tone === 'bad') first.add(banner);
    else if (room > 0) {
      room -= 1;
      first.add(banner);
    }
  }
  return { first: banners.filter((one) => first.has(one)), folded: banners.filter((one) => !first.has(one)) };
}
