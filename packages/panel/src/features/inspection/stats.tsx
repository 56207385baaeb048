import type { InspectionAction, InspectionRun } from '@manager/core/contract/inspection/runs';
import type { AddressState } from '../../platform/browser/address.ts';
import { formatCount, formatShare, NONE } from '../../platform/format/format.ts';
import { type Translate, useText } from '../../platform/i18n/index.ts';
import { type Stat, StatRow } from '../../ui/display/stats.tsx';
import { ACTION_ORDER, ACTION_WORDS } from '../../ui/inspection/words.ts';
import type { InspectionSearch } from './inspection-search.ts';
import { inspectedOf, suggestionsOf } from './runs/run-view.ts';

const QUALIFIERS = {
  delete: 'inspection.deleteHint',
  reauth: 'inspection.reauthShort',
  disable: 'inspection.disableHint',
  enable: 'inspection.enableHint',
  keep: 'inspection.keepHint',
} as const satisfies Record<InspectionAction, string>;

interface InspectionStatsProps {
  /** undefined while loading. */
  readonly run: InspectionRun | undefined;
  readonly search: InspectionSearch;
  readonly onChange: AddressState<InspectionSearch>['change'];
}

/** Results of the run as numbers; each links to its results. */
export function InspectionStats({ run, search, onChange }: InspectionStatsProps) {
  const { t } = useText();
  const counts = run === undefined ? undefined : suggestionsOf(run);
  // Nothing is known before the accounts are listed.
  const isListing = run?.active === true && run.totalFiles === 0;
  const stats: readonly Stat[] = [
    {
      key: 'suitable',
      label: t('inspection.suitable'),
      value: run === undefined ? undefined : isListing ? NONE : formatCount(run.probeSetCount),
      qualifier: run === undefined || isListing ? undefined : <Suitable run={run} />,
    },
    {
      key: 'sampled',
      label: t('inspection.inspected'),
      value: run === undefined ? undefined : isListing ? NONE : formatCount(inspectedOf(run)),
      qualifier: run === undefined || isListing ? undefined : t('inspection.disabledOf', { count: run.disabledCount }),
    },
    ...ACTION_ORDER.map((action): Stat => {
      const count = counts?.[action];
      const chosen = search.action === action;
      return {
        key: action,
        label: t(ACTION_WORDS[action].label),
        value: count === undefined ? undefined : isListing ? NONE : formatCount(count),
        ...(count === undefined || isListing
          ? {}
          : {
              selected: chosen,
              onSelect: () => onChange({ action: chosen ? '' : action, tab: 'results' }),
            }),
        tone: count !== undefined && count > 0 ? toneOf(action) : null,
        qualifier: qualifierOf(action, run, t),
      };
    }),
  ];
  return <StatRow label={t('inspection.found')} stats={stats} compact />;
}

function qualifierOf(action: InspectionAction, run: InspectionRun | undefined, t: Translate): string {
  const percent = run?.settings.usedPercentThreshold ?? 100;
  if (action !== 'disable' || percent >= 100) return t(QUALIFIERS[action]);
  return t('inspection.disableFrom', { threshold: formatShare(percent / 100) });
}

/** Of how many, and why the others are not inspected. */
function Suitable({ run }: { readonly run: InspectionRun }) {
  const { t } = useText();
  const all = formatCount(run.totalFiles);
  const others = run.totalFiles - run.probeSetCount;
  if (others <= 0) return t('inspection.ofListed', { all });
  const providers = run.settings.targetTypes.join(', ');
  const values = { count: others, value: formatCount(others), providers };
  return <span title={t('inspection.suitableText', values)}>{t('inspection.ofListedOnly', { all, providers })}</span>;
}

function toneOf(action: InspectionAction): 'warn' | 'bad' | null {
  if (action === 'delete') return 'bad';
  return action === 'reauth' || action === 'disable' ? 'warn' : null;
}
