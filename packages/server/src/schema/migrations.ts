import type { Migration } from '../sqlite/migrate.ts';
import { initial } from './0001-initial.ts';
import { latestHeaderSnapshots } from './0002-latest-header-snapshots.ts';
import { dataMigrations } from './0003-data-migrations.ts';
import { archives } from './0004-archives.ts';
import { collectedBatches } from './0005-collected-batches.ts';
import { inspection } from './0006-inspection.ts';
import { quotaSnapshots } from './0007-quota-snapshots.ts';
import { quotaCooldowns } from './0008-quota-cooldowns.ts';
import { accountActions } from './0009-account-actions.ts';
import { accountClaims } from './0010-account-claims.ts';
import { storedEventRules } from './0011-stored-event-rules.ts';
import { chosenPrices } from './0012-chosen-prices.ts';
import { cacheWritesOfOneHour } from './0013-cache-writes-of-one-hour.ts';
import { failureConfirmation } from './0014-failure-confirmation.ts';
import { gatewayConfigurations } from './0015-gateway-configurations.ts';
import { configurationChanges } from './0016-configuration-changes.ts';
import { configurationTimeline } from './0017-configuration-timeline.ts';
import { storedSums } from './0018-stored-sums.ts';
import { notifications } from './0019-notifications.ts';
import { viewerLinks } from './0020-viewer-links.ts';
import { automaticArchives } from './0021-automatic-archives.ts';

/** Every schema step, oldest first. Only append. Work that grows with the rows is a background migration, not a step. */
export const MIGRATIONS: readonly Migration[] = [
  initial,
  latestHeaderSnapshots,
  dataMigrations,
  archives,
  collectedBatches,
  inspection,
  quotaSnapshots,
  quotaCooldowns,
  accountActions,
  accountClaims,
  storedEventRules,
  chosenPrices,
  cacheWritesOfOneHour,
  failureConfirmation,
  gatewayConfigurations,
  configurationChanges,
  configurationTimeline,
  storedSums,
  notifications,
  viewerLinks,
  automaticArchives,
];
