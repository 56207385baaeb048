/** A configuration of about this many bytes, as the gateway writes it: nearly all of it entries of providers. */
export function largeConfiguration(bytes: number, managementKey: string): string {
  const head = [
    '# written by a person',
    'port: 8317',
    'remote-management:',
    '  allow-remote: true',
    `  secret-key: ${managementKey}`,
    'usage-statistics-enabled: true',
    'logging-to-file: true',
    'api-keys:',
    ...Array.from({ length: 200 }, (_, index) => `  - sk-client-${index}`),
    'openai-compatibility:',
  ].join('\n');
  const tail = [
    'payload:',
    '  override:',
    '    - models:',
    '        - name: "gpt-*"',
    '      params:',
    '        a: "1"',
    '',
  ].join('\n');
  const parts = [head];
  let size = head.length + tail.length;
  for (let index = 0; size < bytes; index++) {
    const entry = provider(index);
    parts.push(entry);
    size += entry.length + 1;
  }
  return [...parts, tail].join('\n');
}

function provider(index: number): string {
  const keys = Array.from(
    { length: 5 },
    (_, key) => `      - api-key: sk-provider-${index}-${key}\n        proxy-url: ""`,
  );
  const models = Array.from(
    { length: 20 },
    (_, model) => `      - name: model-${index}-${model}\n        alias: alias-${model}`,
  );
  return [
    `  - name: provider-${index}`,
    `    base-url: https://provider-${index}.test/v1 # main`,
    '    api-key-entries:',
    ...keys,
    '    models:',
    ...models,
  ].join('\n');
}
