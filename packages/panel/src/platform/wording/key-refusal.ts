import type { KeyRefusalReason } from '@manager/core/contract/system/status';
import type { TextKey } from '../i18n/index.ts';

interface RefusalTexts {
  /** Two or three words. */
  readonly state: TextKey;
  readonly fact: TextKey;
  /** What to do and when it is tried again; contains `{{tries}}` or `{{next}}`. */
  readonly text: TextKey;
  /** What one more try may cost. */
  readonly cost: TextKey;
}

/** Why requests with the saved key are refused. */
export const KEY_REFUSALS: Readonly<Record<KeyRefusalReason, RefusalTexts>> = {
  key_rejected: {
    state: 'collector.keyRefused',
    fact: 'note.keyFact',
    text: 'note.keyText',
    cost: 'settings.tryCostKey',
  },
  address_banned: {
    state: 'collector.addressBanned',
    fact: 'note.bannedFact',
    text: 'note.bannedText',
    cost: 'settings.tryCostBan',
  },
  remote_disabled: {
    state: 'collector.remoteDisabled',
    fact: 'note.remoteFact',
    text: 'note.remoteText',
    cost: 'settings.tryCostNone',
  },
  key_not_set: {
    state: 'collector.keyNotSet',
    fact: 'note.keyNotSetFact',
    text: 'note.keyNotSetText',
    cost: 'settings.tryCostNone',
  },
};
