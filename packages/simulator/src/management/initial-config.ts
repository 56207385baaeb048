import type { JsonValue } from '../json.ts';
import type { SimulatorOptions } from '../types.ts';

/** The `config.yaml` of a new simulator, with comments like an operator's file. */
export function initialConfig(options: SimulatorOptions): string {
  const retention = options.retentionSeconds === undefined ? 60 : options.retentionSeconds;
  const keys = options.apiKeys ?? ['sim-client-key-0001', 'sim-client-key-0002'];
  return `# Configuration of the simulated gateway.
host: ""
port: 8317

# Credentials live here.
auth-dir: /sim/auths

# Management API; a plain secret-key is replaced by its hash at load.
remote-management:
  allow-remote: ${options.remoteAllowed ?? true}
  secret-key: ${scalar(options.managementKey ?? 'sim-management-key')}

# Keys of the clients.
${keys.length === 0 ? 'api-keys: []' : `api-keys:\n${keys.map((key) => `  - ${scalar(key)}`).join('\n')}`}

debug: false
logging-to-file: true
logs-max-total-size-mb: 0

# Usage events are published only while this is true.
usage-statistics-enabled: ${options.statsEnabled ?? true}
${retention === null ? '' : `redis-usage-queue-retention-seconds: ${retention} # seconds\n`}
request-retry: 3
max-retry-interval: 30
quota-exceeded:
  switch-project: true
  switch-preview-model: true
  antigravity-credits: true
routing:
  strategy: round-robin # or weighted-round-robin, fill-first
ws-auth: true

plugins:
  enabled: true
  dir: /sim/plugins
  configs:
    simplugin:
      enabled: true
      priority: 1
      mode: safe

gemini-api-key:
  - api-key: SIM-GEMINI-KEY-0001
    base-url: https://generativelanguage.googleapis.com

openai-compatibility:
  - name: northwind
    base-url: https://llm.example.test/v1
    api-key-entries:
      - api-key: sim-provider-key-9000
    models:
      - name: northwind-large
        alias: nw-large
`;
}

function scalar(value: JsonValue): string {
  return JSON.stringify(value);
}
