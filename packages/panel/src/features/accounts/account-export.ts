import type { AccountRow } from '../../platform/accounts/rows.ts';
import { isoWithOffset } from '../../platform/format/time.ts';
import type { CellContext } from '../../ui/accounts/account-text.ts';
import type { ExportColumn } from '../../ui/table/export.ts';

/** Columns of an exported list, masked as on screen. */
export function accountExport({ masker, zone, managed }: CellContext): readonly ExportColumn<AccountRow>[] {
  const iso = (ms: number | null | undefined) => (ms === null || ms === undefined ? null : isoWithOffset(ms, zone));
  const used: readonly ExportColumn<AccountRow>[] = managed
    ? [
        { name: 'last_request', value: ({ history }) => iso(history?.last_seen_ms) },
        { name: 'requests', value: ({ history }) => history?.total_requests ?? null },
        { name: 'tokens', value: ({ history }) => history?.total_tokens ?? null },
        { name: 'cost_usd', value: ({ history }) => history?.total_cost ?? null },
        { name: 'success_rate', value: ({ history }) => history?.success_rate ?? null },
      ]
    : [
        { name: 'recent_minutes', value: ({ recent }) => recent?.minutes ?? null },
        { name: 'recent_success', value: ({ recent }) => recent?.success ?? null },
        { name: 'recent_failed', value: ({ recent }) => recent?.failed ?? null },
      ];
  return [
    { name: 'account', value: ({ account }) => masker.account(account.name) },
    { name: 'provider', value: ({ account }) => account.listed.provider },
    { name: 'plan', value: ({ plan }) => plan },
    { name: 'file', value: ({ account }) => masker.file(account.listed.name) },
    { name: 'auth_index', value: ({ account }) => account.listed.authIndex },
    { name: 'state', value: ({ availability }) => availability.state },
    { name: 'disabled', value: ({ account }) => account.listed.disabled },
    { name: 'priority', value: ({ account }) => account.priority },
    { name: 'note', value: ({ account }) => masker.text(account.note) },
    { name: 'tags', value: ({ tags }) => tags.map(masker.text).join(', ') },
    ...used,
    { name: 'quota_left_percent', value: ({ quota }) => quota.left },
    { name: 'quota_resets', value: ({ quota }) => iso(quota.resetAtMs) },
  ];
}
