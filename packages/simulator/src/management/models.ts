/** One model of a channel's catalog. */
export interface ModelDefinition {
  readonly id: string;
  readonly object: 'model';
  readonly created: number;
  readonly owned_by: string;
  readonly type: string;
  readonly display_name: string;
  readonly context_length: number;
  readonly max_completion_tokens: number;
}

const OWNERS: Readonly<Record<string, string>> = {
  claude: 'anthropic',
  codex: 'openai',
  gemini: 'google',
  'gemini-interactions': 'google',
  vertex: 'google',
  aistudio: 'google',
  antigravity: 'antigravity',
  kimi: 'moonshot',
  xai: 'xai',
};

const MODELS: Readonly<Record<string, readonly string[]>> = {
  claude: ['claude-opus-4-6', 'claude-sonnet-4-5-20250929', 'claude-haiku-4-5-20251001'],
  codex: ['gpt-5.4', 'gpt-5.4-mini', 'gpt-5.3-codex'],
  gemini: ['gemini-3-pro', 'gemini-3-flash'],
  'gemini-interactions': ['gemini-3-pro'],
  vertex: ['gemini-3-pro', 'gemini-3-flash'],
  aistudio: ['gemini-3-flash'],
  antigravity: ['gemini-3-pro', 'claude-sonnet-4-5'],
  kimi: ['kimi-k2.5', 'kimi-k2-thinking'],
  xai: ['grok-4.1', 'grok-code-fast'],
};

const ALIASES: Readonly<Record<string, string>> = { 'x-ai': 'xai', grok: 'xai' };

/** Channel of a name or alias; null without one. */
export function channelOf(name: string): string | null {
  const channel = ALIASES[name.toLowerCase()] ?? name.toLowerCase();
  return channel in MODELS ? channel : null;
}

export function modelsOf(channel: string): readonly ModelDefinition[] {
  const owner = OWNERS[channel] ?? channel;
  return (MODELS[channel] ?? []).map((id) => ({
    id,
    object: 'model',
    created: 1_780_000_000,
    owned_by: owner,
    type: owner,
    display_name: id.replaceAll('-', ' '),
    context_length: 400_000,
    max_completion_tokens: 128_000,
  }));
}
