// What the file beside the page holds: pages that only a manager has, and that most visits do not open.
export { AccountActionsPage } from '../features/account-actions/account-actions-page.tsx';
export { ArchivesPage } from '../features/archives/archives-page.tsx';
export { InspectionPage } from '../features/inspection/inspection-page.tsx';
export { NotificationsPage } from '../features/notifications/notifications-page.tsx';
export { PricesPage } from '../features/prices/prices-page.tsx';
export { ReportPage } from '../features/report/report-page.tsx';
