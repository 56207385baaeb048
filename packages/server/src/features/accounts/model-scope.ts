import type { ModelScope } from '@manager/core/contract/accounts/window-usage';
import { trimText } from '@manager/core/json/text';
import { withoutReasoningSuffix } from '@manager/core/usage/models';
import { badRequest } from './target.ts';

/** Which models count towards a quota window. */
export interface CheckedScope {
  readonly kind: ScopeKind;
  /** '' = none. */
  readonly key: string;
  /** As returned by `scopeModel`. */
  readonly models: readonly string[];
  /** False: the models are unknown, so none counts. */
  readonly complete: boolean;
}

/** Whether a request belongs to a scope; `unknown` when its model does not show it. */
export type ScopeMatch = 'inside' | 'outside' | 'unknown';

const KINDS = ['all', 'family', 'models', 'product', 'feature'] as const;
type ScopeKind = (typeof KINDS)[number];

const EVERYTHING: CheckedScope = { kind: 'all', key: '', models: [], complete: true };

/** All models of one provider that share a quota, except the one with its own. */
const CODEX_MAIN = 'codex_main';
const CODEX_SPARK = 'gpt-5.3-codex-spark';
const CLAUDE_GPT_PARTS = ['claude', 'gpt', 'o1', 'o3', 'o4'];

/** @throws AppError 400 */
export function checkScope(sent: ModelScope | null | undefined): CheckedScope {
  if (sent === null || sent === undefined) return EVERYTHING;
  const wanted = trimText(sent.kind ?? '').toLowerCase();
  const kind = KINDS.find((name) => name === wanted);
  const key = trimText(sent.key ?? '');
  const models = (sent.models ?? []).map(scopeModel).filter((model) => model !== '');
  if (kind === undefined) throw badRequest('model_scope: invalid');
  if (kind === 'models' && models.length === 0) throw badRequest('model_scope: invalid');
  if (kind !== 'all' && kind !== 'models' && key === '' && models.length === 0)
    throw badRequest('model_scope: invalid');
  return { kind, key, models, complete: sent.complete ?? (kind !== 'product' && kind !== 'feature') };
}

/** A model name in its compared form: without reasoning suffix, in lower case; '' = none. */
export function scopeModel(name: string): string {
  const model = withoutReasoningSuffix(trimText(name)).toLowerCase();
  return model === '-' ? '' : model;
}

/** @param model as returned by `scopeModel` */
export function matchScope({ kind, key, models, complete }: CheckedScope, model: string): ScopeMatch {
  if (!complete) return 'outside';
  if (kind === 'all') return 'inside';
  const family = kind === 'family' ? key.toLowerCase() : '';
  if (family === CODEX_MAIN) return model === '' ? 'unknown' : inside(model !== CODEX_SPARK);
  if (models.length > 0) return model === '' ? 'unknown' : inside(models.includes(model));
  if (kind !== 'family') return 'outside';
  const actual = familyOf(model);
  return actual === '' ? 'unknown' : inside(actual === family);
}

function familyOf(model: string): string {
  if (CLAUDE_GPT_PARTS.some((part) => model.includes(part))) return 'claude_gpt';
  return model.includes('gemini') ? 'gemini' : '';
}

function inside(is: boolean): ScopeMatch {
  return is ? 'inside' : 'outside';
}
