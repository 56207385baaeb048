import catalog from '../fixtures/model-catalog.json';
import type { JsonObject } from '../json.ts';

/** One model of a channel's catalog; what else it has depends on the channel. */
export interface ModelDefinition extends JsonObject {
  readonly id: string;
  readonly object: 'model';
  readonly created: number;
  readonly owned_by: string;
  readonly type: string;
  readonly display_name: string;
}

const MODELS = catalog as unknown as Readonly<Record<string, readonly ModelDefinition[]>>;
const ALIASES: Readonly<Record<string, string>> = { 'x-ai': 'xai', grok: 'xai' };

/** Channel of a name or alias; null without one. */
export function channelOf(name: string): string | null {
  const channel = ALIASES[name.toLowerCase()] ?? name.toLowerCase();
  return channel in MODELS ? channel : null;
}

export function modelsOf(channel: string): readonly ModelDefinition[] {
  return MODELS[channel] ?? [];
}
