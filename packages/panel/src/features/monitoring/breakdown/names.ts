import { NONE } from '../../../platform/format/format.ts';
import type { Masker } from '../../../platform/format/mask.ts';
import { maskKey } from '../../../platform/format/mask-key.ts';
import { shown } from '../../../platform/format/shown.ts';
import type { Translate } from '../../../platform/i18n/index.ts';
import { accountNameOf, keyName } from '../../../platform/requests/event-view.ts';
import type { Line } from './line.ts';

export interface NameContext {
  readonly t: Translate;
  readonly masker: Masker;
  readonly aliases: ReadonlyMap<string, string>;
  /** Client keys that the gateway accepts now, by hash. */
  readonly keys: ReadonlyMap<string, string>;
}

/** Name and the gray text beside it. */
export function lineName({ source }: Line, { masker, aliases, keys, t }: NameContext): { main: string; aside: string } {
  switch (source.kind) {
    case 'account':
    case 'context': {
      const { row } = source;
      const origin = source.kind === 'context' ? source.row.source : source.row.sources?.[0];
      const index = source.kind === 'context' ? source.row.auth_index : source.row.auth_indices?.join(', ');
      const name = accountNameOf({ ...row, source: origin }, masker) || (index ?? '') || NONE;
      return { main: shown(name), aside: shown(row.auth_provider_snapshot ?? '') };
    }
    case 'key': {
      const { api_key_hash: hash } = source.row;
      const key = keys.get(hash);
      const alias = aliases.get(hash);
      const shownKey = key === undefined ? keyName(hash, new Map()) : maskKey(key);
      return alias === undefined ? { main: shownKey, aside: '' } : { main: shown(alias), aside: shownKey };
    }
    case 'no key':
      return { main: t('analytics.noKey'), aside: '' };
    case 'rest':
      return {
        main: t(source.of === 'models' ? 'monitoring.moreModels' : 'monitoring.moreAccounts', { count: source.count }),
        aside: '',
      };
    case 'model':
      return { main: shown(source.row.model) || NONE, aside: '' };
  }
}

/** The real name, for sorting: masked names must not decide the order. */
export function sortName({ source }: Line, aliases: ReadonlyMap<string, string>): string {
  switch (source.kind) {
    case 'account':
      return source.row.account_snapshot || source.row.auth_label_snapshot || source.row.sources?.[0] || '';
    case 'context':
      return source.row.account_snapshot || source.row.auth_label_snapshot || source.row.source || '';
    case 'key':
      return aliases.get(source.row.api_key_hash) ?? source.row.api_key_hash;
    case 'no key':
    case 'rest':
      return '';
    case 'model':
      return source.row.model;
  }
}
