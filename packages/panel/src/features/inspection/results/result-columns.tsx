import type { InspectionResult } from '@manager/core/contract/inspection/runs';
import { formatShare, NONE } from '../../../platform/format/format.ts';
import type { Masker } from '../../../platform/format/mask.ts';
import { shown } from '../../../platform/format/shown.ts';
import { isoWithOffset, shortTime } from '../../../platform/format/time.ts';
import type { Translate } from '../../../platform/i18n/index.ts';
import { Status } from '../../../ui/display/status.tsx';
import { isUndecided, reasonText } from '../../../ui/inspection/reasons.ts';
import { ACTION_ORDER, ACTION_WORDS, STATE_WORDS } from '../../../ui/inspection/words.ts';
import type { NarrowRow, TableColumn } from '../../../ui/table/types.ts';
import { QuotaBar } from './quota-cell.tsx';
import { leftPercent, tightestWindow, windowName } from './quota-view.ts';
import { isDeleted } from './result-view.ts';

export interface ResultCellContext {
  readonly t: Translate;
  readonly locale: string;
  readonly zone: string;
  readonly masker: Masker;
  /** Unused reset credits by result id. */
  readonly credits: ReadonlyMap<number, number>;
  /** Percent of the long quota window from which on disabling is suggested; null = the run is loading. */
  readonly threshold: number | null;
  /** Server time, ms. */
  readonly now: () => number;
}

export const RESULT_COLUMN_IDS = [
  'action',
  'account',
  'file',
  'provider',
  'code',
  'quota',
  'account_state',
  'state',
  'at',
];

export function accountText({ displayAccount, fileName }: InspectionResult, masker: Masker): string {
  // Without a name the server shows the file.
  return shown(displayAccount === fileName ? masker.file(fileName) : masker.account(displayAccount)) || NONE;
}

function reasonWithCredits(result: InspectionResult, { t, masker, credits }: ResultCellContext): string {
  const count = credits.get(result.id);
  const reason = reasonText(result, t, masker);
  return count === undefined ? reason : `${t('inspection.credits', { count })} · ${reason}`;
}

function quotaTitle(result: InspectionResult, { t, zone, locale, now }: ResultCellContext): string {
  return (result.quotaWindows ?? [])
    .map((window) => {
      const left = leftPercent(window);
      const reset = window.resetAtMs === undefined ? '' : shortTime(window.resetAtMs, now(), zone, locale);
      return [windowName(window, t), left === null ? t('inspectionQuota.unknown') : `${Math.round(left)}%`, reset]
        .filter(Boolean)
        .join(' ');
    })
    .join('\n');
}

export function resultColumns(context: ResultCellContext): readonly TableColumn<InspectionResult>[] {
  const { t, zone, locale, masker, now } = context;
  return [
    {
      id: 'action',
      label: t('inspection.suggestion'),
      width: 124,
      cell: (result) => <Suggestion result={result} t={t} />,
      sort: ({ action }) => ACTION_ORDER.indexOf(action),
      sortFirst: 'asc',
      exported: ({ action }) => action,
    },
    {
      id: 'account',
      label: t('filter.account'),
      width: 204,
      cell: (result) => accountText(result, masker),
      title: (result) => accountText(result, masker),
      sort: ({ displayAccount }) => displayAccount,
      exported: (result) => accountText(result, masker),
    },
    {
      id: 'file',
      label: t('filter.file'),
      width: 160,
      priority: 6,
      cell: ({ fileName }) => shown(masker.file(fileName)),
      title: ({ fileName }) => masker.file(fileName),
      sort: ({ fileName }) => fileName,
      exported: ({ fileName }) => masker.file(fileName),
    },
    {
      id: 'provider',
      label: t('filter.provider'),
      width: 76,
      priority: 5,
      cell: ({ provider }) => shown(provider),
      sort: ({ provider }) => provider,
      exported: ({ provider }) => provider,
    },
    {
      id: 'reason',
      label: t('inspection.reason'),
      width: null,
      minWidth: 300,
      cell: (result) => (
        <span className={context.credits.has(result.id) ? 'tone-warn' : undefined}>
          {reasonWithCredits(result, context)}
        </span>
      ),
      title: (result) => reasonWithCredits(result, context),
      exported: (result) => reasonText(result, t, masker),
    },
    {
      id: 'code',
      label: t('inspection.httpStatus'),
      width: 64,
      right: true,
      priority: 2,
      cell: ({ statusCode }) => statusCode ?? NONE,
      sort: ({ statusCode }) => statusCode ?? null,
      exported: ({ statusCode }) => statusCode ?? null,
    },
    {
      id: 'quota',
      label: t('inspection.quotaLeft'),
      hint: t('inspection.quotaHint'),
      width: 136,
      priority: 3,
      cell: (result) => <Tightest result={result} context={context} />,
      title: (result) => quotaTitle(result, context) || undefined,
      sort: ({ quotaWindows }) => leftOf(quotaWindows),
      sortFirst: 'asc',
      exported: ({ usedPercent }) => usedPercent ?? null,
    },
    {
      id: 'account_state',
      label: t('inspection.accountState'),
      width: 104,
      priority: 4,
      cell: (result) => <AccountState result={result} t={t} />,
      sort: ({ disabled }) => Number(disabled),
      exported: (result) => (isDeleted(result) ? 'deleted' : result.disabled ? 'disabled' : 'enabled'),
    },
    {
      id: 'state',
      label: t('inspection.actionState'),
      width: 136,
      priority: 1,
      cell: ({ actionStatus }) => (
        <Status tone={STATE_WORDS[actionStatus].tone}>{t(STATE_WORDS[actionStatus].label)}</Status>
      ),
      title: ({ actionError }) => (actionError === undefined ? undefined : shown(masker.text(actionError))),
      sort: ({ actionStatus }) => actionStatus,
      exported: ({ actionStatus }) => actionStatus,
    },
    {
      id: 'at',
      label: t('inspection.probedAt'),
      width: 92,
      priority: 7,
      cell: ({ createdAtMs }) => shortTime(createdAtMs, now(), zone, locale),
      title: ({ createdAtMs }) => isoWithOffset(createdAtMs, zone),
      sort: ({ createdAtMs }) => createdAtMs,
      sortFirst: 'desc',
      exported: ({ createdAtMs }) => isoWithOffset(createdAtMs, zone),
    },
  ];
}

export function Suggestion({
  result,
  t,
  pill = false,
}: {
  readonly result: InspectionResult;
  readonly t: Translate;
  readonly pill?: boolean;
}) {
  const { tone, label } = ACTION_WORDS[result.action];
  return (
    <Status tone={isUndecided(result) ? 'unknown' : tone} pill={pill}>
      {t(label)}
    </Status>
  );
}

/** State at the gateway, after actions here. */
export function AccountState({ result, t }: { readonly result: InspectionResult; readonly t: Translate }) {
  if (isDeleted(result)) return <Status tone="off">{t('inspection.deleted')}</Status>;
  return (
    <Status tone={result.disabled ? 'off' : 'okQuiet'}>
      {result.disabled ? t('inspection.off') : t('inspection.on')}
    </Status>
  );
}

function leftOf(windows: InspectionResult['quotaWindows']): number | null {
  const tightest = tightestWindow(windows);
  return tightest === undefined ? null : leftPercent(tightest);
}

function Tightest({ result, context }: { readonly result: InspectionResult; readonly context: ResultCellContext }) {
  const tightest = tightestWindow(result.quotaWindows);
  if (tightest === undefined) {
    const { t } = context;
    return (
      <span className="ink-3">
        {result.quotaInventoryObserved ? t('inspectionQuota.none') : t('inspectionQuota.unknown')}
      </span>
    );
  }
  return <QuotaBar window={tightest} nowMs={context.now()} />;
}

/** Suggestion and state | whose and why | status and quota. */
export function resultNarrow(result: InspectionResult, context: ResultCellContext): NarrowRow {
  const { t, masker } = context;
  const left = leftOf(result.quotaWindows);
  return {
    lead: <Suggestion result={result} t={t} />,
    wideLead: true,
    leadBelow: result.actionStatus === 'none' ? '' : t(STATE_WORDS[result.actionStatus].label),
    main: accountText(result, masker),
    mainBelow: reasonWithCredits(result, context),
    value: result.statusCode ?? NONE,
    valueBelow: left === null ? (result.disabled ? t('inspection.off') : '') : formatShare(left / 100),
  };
}
