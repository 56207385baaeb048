import type { AccountActionCandidate } from '@manager/core/contract/account-actions';
import { formatCount, NONE } from '../../platform/format/format.ts';
import type { Masker } from '../../platform/format/mask.ts';
import { shown } from '../../platform/format/shown.ts';
import { hourAndMinute, isoWithOffset, isSameDay, shortDate, shortTime } from '../../platform/format/time.ts';
import type { Translate } from '../../platform/i18n/index.ts';
import { reasonText } from '../../platform/wording/reason-codes.ts';
import type { Word } from '../../ui/display/status.tsx';
import { Status } from '../../ui/display/status.tsx';
import type { NarrowRow, TableColumn } from '../../ui/table/types.ts';
import { accountOf, reasonCodeOf, stateWord, typeWord } from './candidate-view.ts';

export interface CandidateCellContext {
  readonly t: Translate;
  readonly locale: string;
  readonly zone: string;
  readonly masker: Masker;
  /** Server time, ms. */
  readonly now: () => number;
  /** The filter already shows the status of all rows. */
  readonly oneStatus: boolean;
}

function Named({ word, value, t }: { readonly word: Word | null; readonly value: string; readonly t: Translate }) {
  return <Status tone={word?.tone ?? 'unknown'}>{word === null ? shown(value) : t(word.label)}</Status>;
}

const accountText = (candidate: AccountActionCandidate, { masker }: CandidateCellContext): string =>
  shown(masker.account(accountOf(candidate))) || NONE;

export const COLUMN_IDS = ['seen', 'type', 'account', 'file', 'reason', 'hits', 'first', 'disabled'] as const;

export function candidateColumns(context: CandidateCellContext): readonly TableColumn<AccountActionCandidate>[] {
  const { t, zone, locale, masker, now, oneStatus } = context;
  const time = (ms: number | undefined) => shortTime(ms, now(), zone, locale);
  const iso = (ms: number | undefined) => (ms === undefined ? undefined : isoWithOffset(ms, zone));
  const text = (value: string | undefined) => shown(masker.text(value ?? ''));
  const reason = (candidate: AccountActionCandidate) =>
    reasonText(reasonCodeOf(candidate), candidate.reason, t, masker);
  return [
    {
      id: 'seen',
      label: t('accountActions.lastSeen'),
      width: 124,
      priority: 1,
      cell: ({ lastSeenAtMs }) => time(lastSeenAtMs),
      title: ({ lastSeenAtMs }) => iso(lastSeenAtMs),
      sort: ({ lastSeenAtMs }) => lastSeenAtMs,
      sortFirst: 'desc',
      exported: ({ lastSeenAtMs }) => isoWithOffset(lastSeenAtMs, zone),
    },
    {
      id: 'type',
      label: t('accountActions.type'),
      width: 128,
      cell: ({ actionType }) => <Named word={typeWord(actionType)} value={actionType} t={t} />,
      sort: ({ actionType }) => actionType,
      exported: ({ actionType }) => actionType,
    },
    {
      id: 'account',
      label: t('filter.account'),
      width: 204,
      cell: (candidate) => accountText(candidate, context),
      title: (candidate) => accountText(candidate, context),
      sort: (candidate) => accountOf(candidate) || null,
      exported: (candidate) => masker.account(accountOf(candidate)),
    },
    {
      id: 'file',
      label: t('filter.file'),
      width: 176,
      priority: 4,
      cell: ({ authFileName }) => shown(masker.file(authFileName)),
      title: ({ authFileName }) => masker.file(authFileName),
      sort: ({ authFileName }) => authFileName,
      exported: ({ authFileName }) => masker.file(authFileName),
    },
    {
      id: 'reason',
      label: t('accountActions.reason'),
      width: null,
      minWidth: 304,
      cell: (candidate) => reason(candidate),
      title: (candidate) => [reason(candidate), candidate.reasonCode ?? ''].filter(Boolean).join(' · '),
      sort: (candidate) => reason(candidate),
      exported: ({ reason: says }) => masker.text(says),
    },
    {
      id: 'hits',
      label: t('accountActions.hits'),
      hint: t('accountActions.hitsHint'),
      width: 64,
      priority: 3,
      right: true,
      cell: ({ hitCount }) => formatCount(hitCount),
      sort: ({ hitCount }) => hitCount,
      exported: ({ hitCount }) => hitCount,
    },
    {
      id: 'first',
      label: t('accountActions.firstSeen'),
      width: 124,
      priority: 7,
      cell: ({ firstSeenAtMs }) => time(firstSeenAtMs),
      title: ({ firstSeenAtMs }) => iso(firstSeenAtMs),
      sort: ({ firstSeenAtMs }) => firstSeenAtMs,
      sortFirst: 'desc',
      exported: ({ firstSeenAtMs }) => isoWithOffset(firstSeenAtMs, zone),
    },
    {
      id: 'disabled',
      label: t('accountActions.autoDisabled'),
      hint: t('accountActions.autoDisabledHint'),
      width: 124,
      priority: 5,
      cell: ({ autoDisabledAtMs }) => time(autoDisabledAtMs),
      title: ({ autoDisabledAtMs }) => iso(autoDisabledAtMs),
      sort: ({ autoDisabledAtMs }) => autoDisabledAtMs ?? null,
      sortFirst: 'desc',
      exported: ({ autoDisabledAtMs }) => iso(autoDisabledAtMs) ?? null,
    },
    {
      id: 'error',
      label: t('accountActions.lastError'),
      width: 160,
      priority: 6,
      cell: ({ lastError }) => <span className={lastError ? 'tone-bad' : undefined}>{text(lastError) || NONE}</span>,
      title: ({ lastError }) => text(lastError) || undefined,
      exported: ({ lastError }) => masker.text(lastError ?? ''),
    },
    {
      id: 'status',
      label: t('filter.status'),
      width: 100,
      priority: oneStatus ? 8 : 2,
      cell: (candidate) => <Named word={stateWord(candidate)} value={candidate.status} t={t} />,
      title: ({ confirmingUntilMs }) => iso(confirmingUntilMs),
      exported: ({ status }) => status,
    },
  ];
}

/** Status and time | what and whose | how often. */
export function candidateNarrow(candidate: AccountActionCandidate, context: CandidateCellContext): NarrowRow {
  const { t, masker, now, zone, locale, oneStatus } = context;
  const word = typeWord(candidate.actionType);
  const account = accountOf(candidate);
  const seen = candidate.lastSeenAtMs;
  const type = word === null ? shown(candidate.actionType) : t(word.label);
  const today = isSameDay(seen, now(), zone);
  return {
    lead: <Status tone={word?.tone ?? 'unknown'}>{hourAndMinute(seen, zone)}</Status>,
    leadBelow: today ? '' : shortDate(seen, zone, locale),
    main: account === '' ? shown(masker.file(candidate.authFileName)) : accountText(candidate, context),
    mainBelow: `${type} · ${reasonText(reasonCodeOf(candidate), candidate.reason, t, masker)}`,
    value: `${formatCount(candidate.hitCount)}×`,
    valueBelow: oneStatus ? '' : <StatusText candidate={candidate} t={t} />,
  };
}

/** Status without its shape, where the row has one already. */
function StatusText({ candidate, t }: { readonly candidate: AccountActionCandidate; readonly t: Translate }) {
  const word = stateWord(candidate);
  return word === null ? shown(candidate.status) : t(word.label);
}
