import { type Entry, numberIn, wordsIn } from '../../platform/gateway/providers/entry.ts';
import type { TextKey } from '../../platform/i18n/index.ts';
import type { Field } from './fields.ts';

/** A value that the gateway would refuse, or drop without a word. */
export interface Problem {
  /** Member, and for lists place and member: `models.2.name`. */
  readonly path: string;
  readonly text: TextKey;
}

const ERROR_ACTIONS = ['stop', 'stop-and-cooldown', 'continue', 'continue-and-cooldown'] as const;

/** Rules of a provider key, and of the accounts of a provider. */
export const ERROR_RULES: Field = {
  name: 'request-scoped-errors',
  kind: 'rows',
  label: 'providers.errors',
  hint: 'providers.errorsHint',
  fields: [
    { name: 'status', kind: 'integer', label: 'providers.errorStatus', min: 100 },
    { name: 'action', kind: 'choice', label: 'providers.errorAction', choices: ERROR_ACTIONS },
    { name: 'match', kind: 'words', label: 'providers.errorMatch' },
    { name: 'match-regexr', kind: 'words', label: 'providers.errorPattern' },
  ],
};

/** Paths begin with the place of the rule. */
export function errorRuleProblems(rules: readonly Entry[]): readonly Problem[] {
  return rules.flatMap((rule, at) => {
    const status = numberIn(rule, 'status') ?? 0;
    const checks: readonly (readonly [fine: boolean, name: string, text: TextKey])[] = [
      [status >= 100 && status <= 599, 'status', 'providers.statusInvalid'],
      [ERROR_ACTIONS.some((action) => action === rule.action), 'action', 'providers.actionNeeded'],
      [wordsIn(rule, 'match-regexr').every(isPattern), 'match-regexr', 'providers.patternInvalid'],
    ];
    return checks.flatMap(([fine, name, text]) => (fine ? [] : [{ path: `${at}.${name}`, text }]));
  });
}

/** Patterns of the gateway are nearly those of the browser; flags at the start are its own. */
function isPattern(text: string): boolean {
  try {
    new RegExp(text.replace(/^\(\?[a-zA-Z]+\)/, ''));
    return true;
  } catch {
    return false;
  }
}
