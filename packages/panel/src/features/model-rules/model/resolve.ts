import type { Account } from '../../../platform/accounts/account.ts';
import {
  type Entry,
  exclusionsOf,
  isEnabled,
  keysOf,
  modelsOf,
  numberIn,
  textIn,
} from '../../../platform/gateway/providers/entry.ts';
import type { Kind } from '../../../platform/gateway/providers/kinds.ts';
import { type Alias, aliasesIn, excludedBy, patternsIn, type RuleMap } from './rules.ts';

/** Why somebody does not serve a model: what the rules say, else its state. */
export type Reason =
  | { readonly kind: 'disabled' }
  /** By choice of the gateway: in cooldown, or broken. */
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'excluded'; readonly pattern: string }
  /** It has another name for clients. */
  | { readonly kind: 'renamed'; readonly alias: string }
  | { readonly kind: 'prefix'; readonly prefix: string }
  | { readonly kind: 'unlisted' }
  /** Its models could not be read. */
  | { readonly kind: 'unknown' };

export interface Candidate {
  readonly id: string;
  readonly channel: string;
  readonly name: string;
  /** A provider key, else an account. */
  readonly isKey: boolean;
  readonly priority: number;
  readonly weight: number | null;
  /** Name at the provider; null = it does not serve the model. */
  readonly model: string | null;
  readonly reason: Reason | null;
}

export interface Sources {
  readonly accounts: readonly Account[];
  readonly nameOf: (account: Account) => string;
  readonly keys: readonly { readonly id: string; readonly kind: Kind; readonly entry: Entry; readonly name: string }[];
  readonly excluded: RuleMap;
  readonly aliases: RuleMap;
  /** Models that the gateway knows of a channel; absent = not read. */
  readonly known: ReadonlyMap<string, readonly string[]>;
  /** Models of keys with a prefix are served with it alone. */
  readonly forcePrefix: boolean;
}

type Verdict = { readonly model: string } | { readonly reason: Reason };

const UNLISTED: Verdict = { reason: { kind: 'unlisted' } };

/** Which of a channel's models stands behind a name: its aliases first, then the models that kept their own name. */
function byRules(
  asked: string,
  patterns: readonly string[],
  aliases: readonly Alias[],
  known: readonly string[] | undefined,
): Verdict {
  const same = (name: string) => name.toLowerCase() === asked.toLowerCase();
  const alias = aliases.find((one) => same(one.alias));
  const model = alias?.name ?? known?.find(same);
  if (model === undefined) return known === undefined ? { reason: { kind: 'unknown' } } : UNLISTED;
  const pattern = excludedBy(patterns, model);
  if (pattern !== null) return { reason: { kind: 'excluded', pattern } };
  const renamed = alias === undefined ? aliases.find((one) => same(one.name)) : undefined;
  const kept = renamed === undefined || aliases.some((one) => same(one.name) && one.fork);
  return kept ? { model } : { reason: { kind: 'renamed', alias: renamed.alias } };
}

function ofKey(asked: string, kind: Kind, entry: Entry, { known, forcePrefix }: Sources): Verdict {
  const prefix = textIn(entry, 'prefix').replace(/^\/+|\/+$/g, '');
  const hasPrefix = prefix !== '' && asked.toLowerCase().startsWith(`${prefix.toLowerCase()}/`);
  const name = hasPrefix ? asked.slice(prefix.length + 1) : asked;
  const own = modelsOf(entry);
  const aliases = own.flatMap((model) =>
    model.alias === '' || model.alias === model.name ? [] : [{ name: model.name, alias: model.alias, fork: false }],
  );
  const models = own.length > 0 ? own.map((model) => model.name) : kind.channel === '' ? [] : known.get(kind.channel);
  const patterns = exclusionsOf(entry);
  const verdict = byRules(name, patterns, aliases, models);
  if ('reason' in verdict) return verdict;
  // A pattern may name the model as clients do.
  const pattern = excludedBy(patterns, name);
  if (pattern !== null) return { reason: { kind: 'excluded', pattern } };
  if (prefix !== '' && !hasPrefix && forcePrefix) return { reason: { kind: 'prefix', prefix } };
  return isEnabled(kind, entry) ? verdict : { reason: { kind: 'disabled' } };
}

function ofAccount(asked: string, account: Account, { excluded, aliases, known }: Sources): Verdict {
  const channel = account.listed.provider;
  const verdict = byRules(
    asked,
    patternsIn(excluded.get(channel)),
    aliasesIn(aliases.get(channel)),
    known.get(channel),
  );
  if ('reason' in verdict) return verdict;
  if (account.listed.disabled) return { reason: { kind: 'disabled' } };
  return account.unavailable ? { reason: { kind: 'unavailable' } } : verdict;
}

/**
 * Who can serve a model a client asks for, in the order of use: those that can by priority, then the others. Among equal
 * priorities the gateway's routing strategy decides.
 */
export function resolveModel(asked: string, sources: Sources): readonly Candidate[] {
  const name = asked.trim();
  const candidates = [
    ...sources.accounts.map((account): Candidate => {
      const verdict = ofAccount(name, account, sources);
      return {
        id: account.key,
        channel: account.listed.provider,
        name: sources.nameOf(account),
        isKey: false,
        priority: account.priority ?? 0,
        weight: account.weight,
        model: 'model' in verdict ? verdict.model : null,
        reason: 'reason' in verdict ? verdict.reason : null,
      };
    }),
    ...sources.keys.map(({ id, kind, entry, name: title }): Candidate => {
      const verdict = ofKey(name, kind, entry, sources);
      return {
        id,
        channel: kind.name,
        name: title,
        isKey: true,
        priority: numberIn(entry, 'priority') ?? 0,
        weight: keysOf(kind, entry)[0]?.weight ?? null,
        model: 'model' in verdict ? verdict.model : null,
        reason: 'reason' in verdict ? verdict.reason : null,
      };
    }),
  ];
  const rank = ({ model, reason }: Candidate) => (model !== null ? 0 : reason?.kind === 'unlisted' ? 2 : 1);
  return candidates.toSorted((one, other) => rank(one) - rank(other) || other.priority - one.priority);
}
