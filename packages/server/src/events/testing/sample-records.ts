/** Synthetic queue records with the skew of a busy gateway, from a seed: for tests and measurements only. */
export interface SampleOptions {
  readonly seed?: number;
  readonly startMs?: number;
  /** Time between two events. */
  readonly stepMs?: number;
  readonly accounts?: number;
  readonly models?: number;
  readonly keys?: number;
}

const FAMILIES = [
  { provider: 'codex', executor: 'CodexExecutor', endpoint: 'POST /v1/responses', model: 'gpt-5', share: 0.45 },
  {
    provider: 'claude',
    executor: 'ClaudeExecutor',
    endpoint: 'POST /v1/messages',
    model: 'claude-sonnet-4',
    share: 0.35,
  },
  { provider: 'gemini', executor: 'GeminiExecutor', endpoint: 'POST /v1beta/models', model: 'gemini-2.5', share: 0.1 },
  {
    provider: 'openai-compatible-northwind',
    executor: 'OpenAICompatExecutor',
    endpoint: 'POST /v1/chat/completions',
    model: 'northwind-large',
    share: 0.1,
  },
] as const;
type Family = (typeof FAMILIES)[number];

const AGENTS = ['sim-codex-client/1.0 (Linux)', 'sim-claude-client/2.4', 'sim-client/1.0', 'sim-editor/0.9 (Windows)'];
const EFFORTS = ['', '', 'low', 'medium', 'high'];

/** Endless records; each call returns the next one as the gateway would write it. */
export function sampleRecords(options: SampleOptions = {}): () => string {
  const random = mulberry32(options.seed ?? 1);
  const startMs = options.startMs ?? Date.UTC(2026, 8, 1);
  const stepMs = options.stepMs ?? 250;
  const accounts = options.accounts ?? 200;
  const models = options.models ?? 20;
  const keys = options.keys ?? 50;
  let sequence = 0;

  const below = (limit: number) => Math.floor(random() * limit);
  const skewed = (limit: number) => Math.floor(limit * random() ** 3);
  const hex = (length: number) => {
    let text = '';
    while (text.length < length)
      text += Math.floor(random() * 0x1_0000_0000)
        .toString(16)
        .padStart(8, '0');
    return text.slice(0, length);
  };
  const stable = (name: string, index: number) =>
    new Bun.CryptoHasher('sha256').update(`${name} ${index}`).digest('hex');
  const pickFamily = (): Family => {
    let rest = random();
    for (const family of FAMILIES) {
      if (rest < family.share) return family;
      rest -= family.share;
    }
    return FAMILIES[0];
  };

  return () => {
    const family = pickFamily();
    const account = skewed(accounts);
    const key = skewed(keys);
    const model = `${family.model}.${skewed(models)}`;
    const effort = EFFORTS[below(EFFORTS.length)] ?? '';
    const failed = random() < 0.03;
    const timestampMs = startMs + sequence * stepMs + below(stepMs);
    sequence += 1;
    const cacheRead = failed || random() < 0.3 ? 0 : below(120_000);
    const cacheWrite = family.provider === 'claude' && random() < 0.2 ? below(6_000) : 0;
    const fresh = failed ? 0 : 50 + skewed(20_000);
    const output = failed ? 0 : 20 + skewed(6_000);
    const reasoning = effort === '' ? 0 : below(output + 1);
    const separate = family.provider === 'claude';
    const input = separate ? fresh : fresh + cacheRead;
    const totalInput = fresh + cacheRead + cacheWrite;
    const latency = 300 + skewed(60_000);
    return JSON.stringify({
      timestamp: `${new Date(timestampMs).toISOString().slice(0, -1)}${String(below(1_000_000)).padStart(6, '0')}Z`,
      latency_ms: latency,
      ttft_ms: Math.min(latency, 100 + skewed(4_000)),
      source: `account-${account}@example.test`,
      auth_index: stable('index', account).slice(0, 16),
      access_token_sha256: stable('token', account * 100 + Math.floor(sequence / 20_000)),
      client_ip: `203.0.113.${skewed(60)}`,
      x_forwarded_for: '',
      user_agent: AGENTS[skewed(AGENTS.length)],
      tokens: {
        input_tokens: input,
        output_tokens: output,
        reasoning_tokens: reasoning,
        cached_tokens: cacheRead,
        cache_read_tokens: cacheRead,
        cache_read_tokens_present: true,
        cache_creation_tokens: cacheWrite,
        total_tokens: totalInput + output,
      },
      failed,
      generate: true,
      fail: failed
        ? {
            status_code: random() < 0.7 ? 429 : 401,
            body: `{"error":{"message":"sim: limit reached for ${hex(8)}","type":"usage_limit_reached","resets_in_seconds":${below(9_000)}}}`,
          }
        : { status_code: 200, body: '' },
      response_headers: headers(family.provider, timestampMs, hex, below),
      accounting_version: 2,
      token_breakdown: {
        schema_version: 2,
        quality: 'complete',
        total_tokens: totalInput + output,
        input: {
          total_tokens: totalInput,
          uncached_tokens: fresh,
          cache_read_tokens: cacheRead,
          cache_write_tokens: cacheWrite,
        },
        output: { total_tokens: output, non_reasoning_tokens: output - reasoning, reasoning_tokens: reasoning },
        unclassified_tokens: 0,
      },
      provider: family.provider,
      executor_type: family.executor,
      model,
      alias: effort === '' ? model : `${model}(${effort})`,
      endpoint: family.endpoint,
      auth_type: 'oauth',
      api_key: `sim-client-key-${String(key).padStart(4, '0')}`,
      request_id: hex(8),
      reasoning_effort: effort,
      service_tier: 'auto',
      ...(family.provider === 'codex' ? { response_service_tier: 'default' } : {}),
    });
  };
}

function headers(
  provider: string,
  timestampMs: number,
  hex: (length: number) => string,
  below: (limit: number) => number,
): Record<string, string[]> {
  const date = new Date(timestampMs).toUTCString();
  if (provider === 'codex') {
    return {
      'Content-Type': ['text/event-stream'],
      Date: [date],
      'Cf-Ray': [`${hex(16)}-FRA`],
      'X-Oai-Request-Id': [`req_${hex(32)}`],
      'X-Codex-Plan-Type': ['plus'],
      'X-Codex-Active-Limit': ['premium'],
      'X-Codex-Primary-Used-Percent': [String(below(100))],
      'X-Codex-Primary-Reset-After-Seconds': [String(below(18_000))],
      'X-Codex-Primary-Window-Minutes': ['300'],
      'X-Codex-Secondary-Used-Percent': [String(below(100))],
      'X-Codex-Secondary-Reset-At': [String(Math.floor(timestampMs / 1000) + below(600_000))],
      'X-Codex-Secondary-Window-Minutes': ['10080'],
      'X-Codex-Credits-Has-Credits': ['false'],
    };
  }
  if (provider === 'claude') {
    return {
      'Content-Type': ['text/event-stream; charset=utf-8'],
      'Anthropic-Ratelimit-Unified-Status': ['allowed'],
      'Anthropic-Ratelimit-Unified-5h-Status': ['allowed'],
      'Anthropic-Ratelimit-Unified-5h-Reset': [String(Math.floor(timestampMs / 1000) + below(18_000))],
      'Anthropic-Ratelimit-Unified-5h-Utilization': [`0.${String(below(100)).padStart(2, '0')}`],
      'Request-Id': [`req_${hex(24)}`],
      'Cf-Ray': [`${hex(16)}-FRA`],
    };
  }
  return { 'Content-Type': ['application/json'], Date: [date], 'X-Request-Id': [hex(32)] };
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
