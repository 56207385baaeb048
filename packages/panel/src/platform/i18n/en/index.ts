import { accountActions } from './account-actions.ts';
import { accountUpload } from './account-upload.ts';
import { accounts } from './accounts.ts';
import { analytics } from './analytics.ts';
import { archives } from './archives.ts';
import { clientKeys } from './client-keys.ts';
import { common } from './common.ts';
import { configuration } from './configuration.ts';
import { cost } from './cost.ts';
import { coverage } from './coverage.ts';
import { dashboard } from './dashboard.ts';
import { doctor } from './doctor.ts';
import { edits } from './edits.ts';
import { filter } from './filter.ts';
import { gateway } from './gateway.ts';
import { inspection } from './inspection.ts';
import { inspectionSettings } from './inspection-settings.ts';
import { logs } from './logs.ts';
import { modelRules } from './model-rules.ts';
import { monitoring } from './monitoring.ts';
import { notifications } from './notifications.ts';
import { palette } from './palette.ts';
import { parts } from './parts.ts';
import { plugins } from './plugins.ts';
import { prices } from './prices.ts';
import { providerSignIn } from './provider-sign-in.ts';
import { providers } from './providers.ts';
import { range } from './range.ts';
import { report } from './report.ts';
import { settings } from './settings.ts';
import { setup } from './setup.ts';
import { shell } from './shell.ts';
import { signIn } from './sign-in.ts';
import { status } from './status.ts';
import { system } from './system.ts';
import { transfer } from './transfer.ts';
import { viewerLinks } from './viewer-links.ts';

/**
 * English, the language that has every key: one file per feature. `_one` and `_other` are plural forms. A key is in one file
 * only; its first part names the subject, not the file.
 */
export const en = {
  ...accounts,
  ...accountActions,
  ...accountUpload,
  ...archives,
  ...analytics,
  ...clientKeys,
  ...common,
  ...configuration,
  ...cost,
  ...coverage,
  ...dashboard,
  ...doctor,
  ...edits,
  ...filter,
  ...gateway,
  ...inspection,
  ...transfer,
  ...inspectionSettings,
  ...logs,
  ...modelRules,
  ...monitoring,
  ...notifications,
  ...palette,
  ...parts,
  ...plugins,
  ...prices,
  ...providerSignIn,
  ...providers,
  ...range,
  ...report,
  ...settings,
  ...setup,
  ...shell,
  ...signIn,
  ...status,
  ...system,
  ...viewerLinks,
} as const;
