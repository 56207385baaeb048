import type { TextKey } from '../../../platform/i18n/index.ts';
import type { Refusal, Warning } from '../model/review.ts';

/** Each warning with its consequence. */
export const WARNING_TEXTS: Readonly<Record<Warning, { readonly fact: TextKey; readonly text: TextKey }>> = {
  address: { fact: 'config.warnAddress', text: 'config.warnAddressText' },
  tls: { fact: 'config.warnTls', text: 'config.warnTlsText' },
  allowRemote: { fact: 'config.warnRemote', text: 'config.warnRemoteText' },
  secretKey: { fact: 'config.warnKey', text: 'config.warnKeyText' },
  authDir: { fact: 'config.warnAuth', text: 'config.warnAuthText' },
  controlPanel: { fact: 'config.warnPanel', text: 'config.warnPanelText' },
  publishing: { fact: 'config.warnPublishing', text: 'config.warnPublishingText' },
  retention: { fact: 'config.warnRetention', text: 'config.warnRetentionText' },
  noClientKeys: { fact: 'config.warnOpen', text: 'config.warnOpenText' },
  wsAuth: { fact: 'config.warnWs', text: 'config.warnWsText' },
  requestLog: { fact: 'config.warnLog', text: 'config.warnLogText' },
};

export const REFUSAL_TEXTS: Readonly<Record<Refusal, TextKey>> = {
  empty: 'config.refuseEmpty',
  noSecretKey: 'config.refuseKey',
};
