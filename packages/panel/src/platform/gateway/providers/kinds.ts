/** The gateway's lists of providers, each an endpoint of its own. */
export const KINDS = [
  {
    id: 'gemini',
    list: 'gemini-api-key',
    name: 'Gemini',
    /** In the gateway's counters. */
    provider: 'gemini',
    /** Of the gateway's list of known models; '' = none, so without models of its own it serves nothing. */
    channel: 'gemini',
    /** Where its requests go without an address of its own; '' = it needs one. */
    home: 'https://generativelanguage.googleapis.com',
  },
  {
    id: 'interactions',
    list: 'interactions-api-key',
    name: 'Gemini Interactions',
    provider: 'gemini-interactions',
    channel: 'gemini-interactions',
    home: 'https://generativelanguage.googleapis.com',
  },
  { id: 'codex', list: 'codex-api-key', name: 'Codex', provider: 'codex', channel: 'codex', home: '' },
  { id: 'xai', list: 'xai-api-key', name: 'xAI', provider: 'xai', channel: 'xai', home: '' },
  {
    id: 'claude',
    list: 'claude-api-key',
    name: 'Claude',
    provider: 'claude',
    channel: 'claude',
    home: 'https://api.anthropic.com',
  },
  {
    id: 'vertex',
    list: 'vertex-api-key',
    name: 'Vertex',
    provider: 'vertex',
    channel: 'vertex',
    home: 'https://aiplatform.googleapis.com',
  },
  { id: 'openai', list: 'openai-compatibility', name: 'OpenAI-compatible', provider: '', channel: '', home: '' },
] as const;

export type Kind = (typeof KINDS)[number];
export type KindId = Kind['id'];

export const KIND_IDS: readonly KindId[] = KINDS.map(({ id }) => id);
export const kindOf = (id: KindId): Kind => KINDS.find((kind) => kind.id === id) ?? KINDS[0];
