import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { AuthFileSpec } from '../accounts/auth-file-spec.ts';
import { jwtOf } from '../accounts/id-token.ts';
import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import { startSimulator } from '../simulator.ts';
import { KEY } from '../testing/raw-client.ts';
import {
  asRecorded,
  asSent,
  bodyDifferences,
  idsOf,
  RECORDED_STEPS,
  type RecordedStep,
  recordedAnswer,
} from '../testing/recording.ts';
import type { Simulator } from '../types.ts';

/** Time that a request takes at the gateway, most of it for the check of the key. */
const REQUEST_MS = 60;

let simulator: Simulator;
/** Ids of the recording, with those of the simulator. */
const ids = new Map<string, string>();

beforeAll(async () => {
  simulator = await startSimulator({
    clock: 'controlled',
    configYaml: asSent(recordedConfiguration(), KEY),
    authFiles: objects(recordedAnswer('GET', '/auth-files').files).map(recordedFile),
    installedPlugins: [],
    internet: false,
    accessLog: true,
    requestLogs: objects(recordedAnswer('GET', '/request-error-logs').files).map(({ name }) => ({
      name: String(name),
      text: '=== REQUEST INFO ===\n',
    })),
  });
  const header = { Connection: ['keep-alive'], 'Content-Type': ['application/json'], 'Keep-Alive': ['timeout=5'] };
  const at = (name: string): JsonObject => ({ ...header, Date: ['Tue, 01 Sep 2026 00:00:00 GMT'], 'X-Mock': [name] });
  const headerOf = (name: string): Record<string, string[]> => at(name) as Record<string, string[]>;
  const provider = 'http://127.0.0.1:24005';
  for (const method of ['GET', 'POST'])
    simulator.addApiCall({ method, url: `${provider}/echo`, result: { echo: true, header: headerOf('echo') } });
  simulator.addApiCall({
    method: 'GET',
    url: `${provider}/teapot`,
    result: { status_code: 418, header: headerOf('teapot'), body: '{"error":"mock teapot"}' },
  });
  const queued = RECORDED_STEPS.find(({ path }) => path.startsWith('/usage-queue?count=3'))?.json;
  for (const event of objects(queued)) simulator.publish(event);
});

afterAll(() => simulator.stop());

test('every management step of the recording is answered alike', async () => {
  const differences: string[] = [];
  for (const [index, step] of RECORDED_STEPS.entries()) {
    const found = await replay(step);
    for (const difference of found) differences.push(`${index + 1} ${step.method} ${step.path}: ${difference}`);
    await simulator.advance(REQUEST_MS);
  }
  expect(differences).toEqual([]);
  expect(RECORDED_STEPS).toHaveLength(381);
}, 30_000);

async function replay(step: RecordedStep): Promise<string[]> {
  const base = step.path.startsWith('/v0/') ? '' : '/v0/management';
  const sentPath = withIds(step.path);
  const response = await fetch(`${simulator.url}${base}${sentPath}`, {
    method: step.method,
    redirect: 'manual',
    headers: { ...keyHeader(step.key), ...step.headers },
    ...(step.body === undefined ? {} : { body: bodyOf(step.body) }),
  });
  const text = asRecorded(await response.text());
  const { headers } = response;
  return [
    ...unequal('status', step.status, response.status),
    ...unequal('content type', step.contentType ?? null, headers.get('content-type')),
    ...unequal('disposition', step.disposition ?? null, headers.get('content-disposition')),
    ...unequal('cache control', step.cacheControl ?? null, headers.get('cache-control')),
    ...(step.json === undefined ? textDifferences(step, text) : jsonDifferences(step, step.json, text)),
  ];
}

function jsonDifferences(step: RecordedStep, recorded: JsonValue, text: string): string[] {
  let actual: JsonValue;
  try {
    actual = JSON.parse(text) as JsonValue;
  } catch {
    return [`not JSON: ${text.slice(0, 80)}`];
  }
  for (const [id, given] of idsOf(recorded, actual)) ids.set(id, given);
  return bodyDifferences(`${step.method} ${step.path}`, recorded, actual);
}

function textDifferences({ contentType, text: recorded = '' }: RecordedStep, text: string): string[] {
  // Long texts are cut in the recording; a log holds what was asked, which the recording shows in part.
  if (contentType?.startsWith('text/x-log') === true) return text === '' ? ['an empty log'] : [];
  const isYaml = contentType?.startsWith('application/yaml') === true;
  return unequal('text', recorded, isYaml ? text.slice(0, recorded.length) : text);
}

function unequal(what: string, recorded: string | number | null, actual: string | number | null): string[] {
  return recorded === actual ? [] : [`${what} ${recorded} recorded, got ${actual}`];
}

function keyHeader(key: RecordedStep['key']): Record<string, string> {
  if (key === 'none') return {};
  return { Authorization: `Bearer ${key === 'management' ? KEY : 'another-key'}` };
}

function bodyOf(body: JsonValue): string {
  const hash = /\$2a\$10\$[\w-]{53}/.exec(simulator.configYaml())?.[0] ?? '';
  return withIds(asSent(typeof body === 'string' ? body : JSON.stringify(body), hash));
}

function withIds(text: string): string {
  let replaced = text;
  for (const [id, given] of ids) replaced = replaced.replaceAll(id, given);
  return replaced;
}

/** The whole configuration, as the recording restores it. */
function recordedConfiguration(): string {
  const bodies = RECORDED_STEPS.filter(({ method, path }) => method === 'PUT' && path === '/config.yaml');
  return String(bodies.at(-1)?.body);
}

/** A file that gives the recorded row. */
function recordedFile(row: JsonObject): AuthFileSpec {
  const type = String(row.type);
  const name = String(row.name);
  const content: JsonObject = { type, access_token: `token-of-${name}` };
  for (const member of ['email', 'project_id', 'note', 'priority']) {
    const value = row[member];
    if (value !== undefined) content[member] = value;
  }
  if (row.disabled === true) content.disabled = true;
  if (isObject(row.id_token)) content.id_token = jwtOf({ 'https://api.openai.com/auth': row.id_token });
  const downloaded = RECORDED_STEPS.find(
    ({ path }) => path === `/auth-files/download?name=${encodeURIComponent(name)}`,
  );
  return { name, type, content: isObject(downloaded?.json) ? downloaded.json : content };
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
