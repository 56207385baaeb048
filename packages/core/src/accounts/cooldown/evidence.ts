import { type CooldownEvidence, cooldownEvidenceSchema } from '../../contract/cooldowns.ts';
import { isJsonObject, parseJson } from '../../json/json.ts';
import type { ProviderUsage } from '../../usage/metadata-schema.ts';
import { orderedMetadata, readMetadataObject } from '../../usage/metadata-values.ts';
import { FREE_USAGE_EXHAUSTED } from '../../usage/provider-usage.ts';

const KIND = 'included_free_usage';
const STATE = 'exhausted';
const UNITS = new Set(['tokens']);
const WINDOW_KINDS = new Set(['rolling_24h']);
const SOURCES = new Set(['response_body']);

function knownWord(value: string | undefined, words: ReadonlySet<string>): string | undefined {
  return value !== undefined && words.has(value) ? value : undefined;
}

/** Drops members without a value and fixes the order in which evidence is written. */
function toWritten(evidence: { readonly [M in keyof ProviderUsage]: ProviderUsage[M] | undefined }): ProviderUsage {
  const members = Object.entries(evidence).filter(([, value]) => value !== undefined && value !== false);
  const object = readMetadataObject({ provider_usage: Object.fromEntries(members) });
  return orderedMetadata(object)?.provider_usage ?? {};
}

/**
 * Evidence of a used-up free allowance of an xAI account: unknown members are dropped, unknown words and impossible
 * numbers become ''. `null` when the value is no such evidence.
 */
export function normalizedEvidence(value: unknown): ProviderUsage | null {
  if (!isJsonObject(value)) return null;
  const read = orderedMetadata(readMetadataObject({ provider_usage: value }))?.provider_usage;
  if (read?.provider !== 'xai' || read.code?.toLowerCase() !== FREE_USAGE_EXHAUSTED) return null;
  if ((read.kind ?? KIND) !== KIND || (read.state ?? STATE) !== STATE) return null;
  return toWritten({
    ...read,
    kind: KIND,
    state: STATE,
    code: FREE_USAGE_EXHAUSTED,
    unit: knownWord(read.unit, UNITS),
    window_kind: knownWord(read.window_kind, WINDOW_KINDS),
    source: knownWord(read.source, SOURCES),
  });
}

/**
 * Merges the evidence of a cooldown that two events report. The winner's members come first, the other fills its gaps.
 * A time that neither states is an estimate.
 *
 * @param recoverAtMs the time that counts
 */
export function mergedEvidence(winner: ProviderUsage, other: ProviderUsage, recoverAtMs: number): ProviderUsage {
  const source = [winner, other].find((evidence) => evidence.recover_at_ms === recoverAtMs);
  return toWritten({
    ...other,
    ...winner,
    recover_at_ms: recoverAtMs,
    recover_at_estimated: source === undefined || source.recover_at_estimated === true,
  });
}

/** The evidence of a stored cooldown as the API shows it; `null` when there is none to show. */
export function shownEvidence(storedText: string, recoverAtMs: number): CooldownEvidence | null {
  const evidence = normalizedEvidence(parseJson(storedText));
  if (evidence === null) return null;
  const { recover_at_ms, recover_at_estimated, ...others } = evidence;
  const shown = recover_at_ms === recoverAtMs ? evidence : others;
  return cooldownEvidenceSchema.safeParse(shown).data ?? null;
}
