import { isRecord } from '../../../platform/browser/storage.ts';
import { type Entry, rowsIn, textIn } from '../../../platform/gateway/providers/entry.ts';

/** The gateway's rules for the accounts of a provider, each kind a map of its own. */
export const RULE_KINDS = ['excluded', 'alias', 'errors'] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

/** Providers whose accounts the gateway itself knows; plugins add others. */
export const CHANNELS = ['claude', 'codex', 'antigravity', 'kimi', 'xai', 'vertex', 'aistudio'] as const;

/** Rules of one provider: patterns, or objects with members that may be unknown. */
export interface ChannelRules {
  readonly channel: string;
  readonly rules: readonly unknown[];
}

export type RuleMap = ReadonlyMap<string, readonly unknown[]>;

export interface Alias {
  readonly name: string;
  readonly alias: string;
  /** The model keeps its own name too. */
  readonly fork: boolean;
}

/** Names compare without case; `*` stands for any text. */
export function matchesPattern(pattern: string, model: string): boolean {
  const parts = pattern
    .trim()
    .toLowerCase()
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(model.toLowerCase());
}

export const patternsIn = (rules: readonly unknown[] | undefined): readonly string[] =>
  (rules ?? []).filter((rule) => typeof rule === 'string');

/** The first pattern that excludes a model; null = none. */
export const excludedBy = (patterns: readonly string[], model: string): string | null =>
  patterns.find((pattern) => matchesPattern(pattern, model)) ?? null;

const sameName = (one: string, other: string) => one.trim().toLowerCase() === other.toLowerCase();

/** Patterns, or names, that none of the known models has: perhaps a typing error. */
export const unmatched = (patterns: readonly string[], known: readonly string[]): readonly string[] =>
  patterns.filter((pattern) => !known.some((model) => matchesPattern(pattern, model)));

/** With a model excluded by its name, or without the lines that are its name. */
export const withExcluded = (rules: readonly unknown[], model: string, excluded: boolean): readonly unknown[] =>
  excluded ? [...rules, model] : rules.filter((rule) => typeof rule !== 'string' || !sameName(rule, model));

export const aliasesIn = (rules: readonly unknown[] | undefined): readonly Alias[] =>
  (rules ?? []).filter(isRecord).flatMap((rule) => {
    const name = textIn(rule, 'name');
    const alias = textIn(rule, 'alias');
    return name === '' || alias === '' ? [] : [{ name, alias, fork: rule.fork === true }];
  });

export interface AliasProblem {
  /** Place and member. */
  readonly path: string;
  readonly text: 'modelRules.nameNeeded' | 'modelRules.aliasNeeded' | 'modelRules.aliasSame' | 'modelRules.aliasTaken';
}

/** A model may have several aliases, an alias stands for one model. */
export function aliasProblems(rows: readonly Entry[]): readonly AliasProblem[] {
  const aliases = rows.map((row) => textIn(row, 'alias').toLowerCase());
  return rows.flatMap((row, at): readonly AliasProblem[] => {
    const [name, alias] = [textIn(row, 'name'), textIn(row, 'alias')];
    if (name === '') return [{ path: `${at}.name`, text: 'modelRules.nameNeeded' }];
    if (alias === '') return [{ path: `${at}.alias`, text: 'modelRules.aliasNeeded' }];
    if (alias.toLowerCase() === name.toLowerCase()) return [{ path: `${at}.alias`, text: 'modelRules.aliasSame' }];
    if (aliases.indexOf(alias.toLowerCase()) !== at) return [{ path: `${at}.alias`, text: 'modelRules.aliasTaken' }];
    return [];
  });
}

export const objectsIn = (rules: readonly unknown[]): readonly Entry[] => rowsIn({ rules }, 'rules');
