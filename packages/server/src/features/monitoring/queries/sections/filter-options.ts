import type { FilterOptions } from '@manager/core/contract/monitoring/analytics';
import { sortTexts } from '../../../../facts/answers/sort.ts';
import { distinctSymbolsSection } from '../../../../facts/kernels/distinct.ts';
import { newestTexts, newestTextsSection } from '../../../../facts/kernels/newest-texts.ts';
import { NO_LIMITS } from '../../request.ts';
import { orNone } from '../fold/members.ts';
import type { Writable } from '../json/written-list.ts';
import type { AnalyticsPlan } from '../plan.ts';
import { planAccountStats } from './account-stats.ts';
import { planApiKeyStats } from './api-key-stats.ts';
import { planChannelShare } from './channels.ts';
import { planIdentityModels } from './identity-models.ts';
import { modelStats, planModels } from './model-stats.ts';

const TEXT_COLUMNS = [
  'auth_file_snapshot',
  'auth_project_id_snapshot',
  'executor_type',
  'header_error_kind',
  'header_error_code',
  'header_quota_plan_type',
] as const;

/** Nearly every request has a different one: only the newest are offered. */
const MAX_TRACE_IDS = 500;

/** Values for the filter menus with their breakdowns: of everything in range and search, ignoring filters. */
export function planFilterOptions(plan: AnalyticsPlan): () => Writable<FilterOptions> {
  const { base } = plan;
  const accounts = planAccountStats(plan, base, NO_LIMITS);
  const keys = planApiKeyStats(plan, base, NO_LIMITS);
  const channels = planChannelShare(plan, base);
  const models = planModels(plan, base);
  const identities = planIdentityModels(plan, base);
  const values = planFilterValues(plan);
  const readTraces = base.add(newestTextsSection('header_trace_id', MAX_TRACE_IDS));
  return () => ({
    account_stats: orNone(accounts()),
    api_key_stats: orNone(keys()),
    channel_share: orNone(channels()),
    model_stats: orNone(modelStats(models())),
    providers: orNone(sortTexts(identities().groups.identities.map(({ provider }) => provider))),
    ...values(),
    header_trace_ids: orNone(sortTexts(newestTexts(readTraces(), MAX_TRACE_IDS))),
  });
}

/** The lists of texts alone, without what is counted: of everything in range and search, ignoring filters. */
export function planFilterValues({ base, snapshot: { symbols } }: AnalyticsPlan): () => FilterOptions {
  const readTexts = base.add(distinctSymbolsSection(TEXT_COLUMNS));
  return () => {
    const distinct = readTexts();
    const textsOf = (column: (typeof TEXT_COLUMNS)[number]) =>
      orNone(sortTexts(Array.from(distinct.get(column) ?? [], (symbol) => symbols.text(symbol))));
    return {
      auth_files: textsOf('auth_file_snapshot'),
      project_ids: textsOf('auth_project_id_snapshot'),
      request_types: textsOf('executor_type'),
      header_error_kinds: textsOf('header_error_kind'),
      header_error_codes: textsOf('header_error_code'),
      header_quota_plans: textsOf('header_quota_plan_type'),
    };
  };
}
