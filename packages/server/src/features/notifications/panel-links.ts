import type { NotificationEvent } from '@manager/core/contract/notifications/kinds';

/** The page of the panel that explains an event, after the base URL. */
const PAGES: Readonly<Record<NotificationEvent, string>> = {
  collector_down: '/doctor',
  collector_starved: '/doctor',
  collection_gap: '/doctor',
  disk_low: '/system',
  account_login: '/accounts/actions',
  quota_used_up: '/accounts',
  quota_low: '/accounts',
  budget_passed: '/report',
  archive_failed: '/usage-maintenance?tab=runs',
  inspection_failed: '/accounts?view=health',
  gateway_update: '/system',
};

/** The address of a page; '' without a base URL. */
export function panelLink(baseUrl: string, page: string): string {
  return baseUrl === ''
    ? ''
    : `${baseUrl.replace(/\/+$/, '').replace(/\/management\.html$/, '')}/management.html#${page}`;
}

export const eventLink = (baseUrl: string, event: NotificationEvent): string => panelLink(baseUrl, PAGES[event]);
