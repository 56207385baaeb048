import type { SimilarityReason } from '@manager/core/pricing/catalogue/similarity';
import type { Masker } from '../format/mask.ts';
import { shown } from '../format/shown.ts';
import type { TextKey, Translate } from '../i18n/index.ts';

/** How similar the names of a model and a price are. */
const MATCHES = {
  'exact-model-id': 'reason.sameName',
  'case-insensitive-model-id': 'reason.otherCase',
  'same-model-with-provider-prefix': 'reason.otherPrefix',
  'model-name-contains': 'reason.nameContains',
  'normalized-model-name': 'reason.otherSpelling',
  'normalized-name-contains': 'reason.nameContains',
  'shared-model-tokens': 'reason.sharedWords',
  'same-model-family': 'reason.sameFamily',
  'similar-model-name': 'reason.similarName',
  'weak-similarity': 'reason.weak',
} as const satisfies Record<SimilarityReason, TextKey>;

/** Reason codes of the manager: of the action queue, cooldowns and price matches. */
const REASONS: Readonly<Record<string, TextKey>> = {
  ...MATCHES,
  workspace_deactivated: 'inspectionReason.workspace',
  account_deactivated: 'reason.accountDeactivated',
  token_revoked: 'inspectionReason.revoked',
  invalid_credentials: 'reason.invalidCredentials',
  credential_permission_denied: 'reason.chatDenied',
  authentication_review: 'reason.unexplained',
  superseded: 'reason.superseded',
  codex_usage_limit_reached: 'cooldown.usageLimit',
  xai_free_usage_exhausted: 'cooldown.freeUsage',
};

/** In the chosen language where the code is known; else the server's text, or the code of a later version. */
export function reasonText(code: string | undefined, says: string, t: Translate, masker: Masker): string {
  const key = code !== undefined && Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  return key === undefined ? shown(masker.text(says || code || '')) : t(key);
}
