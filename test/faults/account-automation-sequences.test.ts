import { afterEach, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import { openDatabase } from '@manager/server/sqlite/open';
import { type AccountEventKind, accountFile } from '@manager/simulator';
import { createRandom } from '@manager/simulator/random';
import { RECORDED_EVENTS } from '@manager/simulator/testing/recorded-events';
import { falseClaims, storedClaims } from '../support/account-claims.ts';
import { ManagerProcess } from '../support/manager-process.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

/** One sequence per account. */
const SEQUENCES = Number(process.env.MANAGER_AUTOMATION_SEQUENCES ?? 40);
const SEED = Number(process.env.MANAGER_AUTOMATION_SEED ?? 7);
/** Time in which a success shows that a failure was none. */
const CONFIRMED_MS = 90_000;
/** Ten minutes for a thousand accounts on a slow machine. */
const SETTLED_MS = 600_000;

let gateway: Simulator;
let manager: ManagerProcess;
let answers: Map<string, Answer>;

beforeEach(() => {
  answers = new Map();
});
afterEach(async () => {
  await manager?.remove();
  await gateway?.stop();
});

/** What is true of the newest attempt of an account that was published. */
interface Answer {
  readonly atMs: number;
  readonly succeeded: boolean;
  readonly isDefinite: boolean;
}

interface Attempt {
  readonly file: string;
  readonly kind: AccountEventKind;
  readonly atMs: number;
  /** The gateway publishes an event when its attempt ends. */
  readonly endMs: number;
  /** It ends only after the automation has acted. */
  readonly isLate: boolean;
}

/** Failures that disable an account unless it succeeds. */
const DEFINITE: readonly AccountEventKind[] = ['token-revoked', 'account-deactivated', 'account-deactivated-header'];
const INCONCLUSIVE: readonly AccountEventKind[] = [
  'credentials-invalid',
  'unauthorized',
  'forbidden',
  'authentication-error',
  'overloaded',
  'cancelled',
  'broken-off',
];

async function start(mode = 'http'): Promise<void> {
  const env = {
    ...boundTo(gateway, mode),
    USAGE_QUOTA_COOLDOWN_ENABLED: 'true',
    USAGE_ACCOUNT_ACTIONS_ENABLED: 'true',
    USAGE_ACCOUNT_ACTIONS_AUTO_DISABLE: 'true',
  };
  manager = await ManagerProcess.start({ env });
}

/** The random attempts of one account, long enough ago that each is decided at once. */
function sequenceOf(file: string, random: () => number, endMs: number): readonly Attempt[] {
  const below = (limit: number) => Math.floor(random() * limit);
  const one = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  const attempts: Attempt[] = [];
  let atMs = endMs - 200_000;
  const add = (kind: AccountEventKind) => {
    // Long streams end after attempts that began later.
    const latencyMs = random() < 0.2 ? below(60_000) : below(800);
    const isLate = kind === 'success' && random() < 0.15;
    attempts.push({ file, kind, atMs, endMs: atMs + latencyMs, isLate });
  };
  for (let left = 1 + below(8); left > 0; left -= 1) {
    const what = random();
    if (what < 0.3) add('success');
    else if (what < 0.5) add(one(DEFINITE));
    else if (what < 0.65) add(one(INCONCLUSIVE));
    else if (what < 0.72) gateway.refreshToken(file, { atMs, listed: random() < 0.5 });
    else {
      // A 401 that the gateway refreshes and repeats.
      add(random() < 0.5 ? 'credentials-invalid' : 'token-revoked');
      atMs += 1 + below(600);
      gateway.refreshToken(file, { atMs, listed: random() < 0.5 });
      add('success');
    }
    atMs += 1 + below(20_000);
  }
  return attempts;
}

async function publish(attempts: readonly Attempt[]): Promise<void> {
  for (const { file, kind, atMs } of attempts.toSorted((left, right) => left.endMs - right.endMs)) {
    await gateway.publishFor(file, { kind, atMs });
    const known = answers.get(file);
    const answer = { atMs, succeeded: kind === 'success', isDefinite: DEFINITE.includes(kind) };
    if (known === undefined || known.atMs < atMs) answers.set(file, answer);
  }
}

function storedEvents(dataDir: string): number {
  const db = openDatabase(join(dataDir, 'usage.sqlite'), { readonly: true });
  try {
    return db.query<{ n: number }, []>('SELECT count(*) AS n FROM usage_events').get()?.n ?? 0;
  } finally {
    db.close();
  }
}

/** Every published event has had its effects. */
async function settled(published: number): Promise<void> {
  const { dataDir } = manager;
  await until(
    () => {
      // Events first: those that are stored later have no effects yet.
      if (storedEvents(dataDir) !== published) return false;
      const { open, unconfirmed } = storedClaims(dataDir);
      return open + unconfirmed === 0;
    },
    'every effect',
    SETTLED_MS,
  );
}

const disabledFiles = () =>
  gateway.authFiles().flatMap(({ name, disabled }) => (disabled === true ? [String(name)] : []));

/** Healthy accounts that automation left disabled, and broken ones without an owner. */
function wrongs(): readonly string[] {
  const disabled = new Set(disabledFiles());
  const healthy = [...answers].flatMap(([file, { succeeded }]) => (succeeded && disabled.has(file) ? [file] : []));
  return [
    ...healthy.map((file) => `${file} succeeded last and is disabled`),
    ...falseClaims(gateway, storedClaims(manager.dataDir), []),
  ];
}

test(`${SEQUENCES} random sequences: no account whose last answer was a success stays disabled`, async () => {
  const random = createRandom(SEED);
  const files = Array.from({ length: SEQUENCES }, (_, index) => `codex-${index}.json`);
  gateway = await startTestGateway({
    authFiles: files.map((name) => accountFile({ provider: 'codex', name, email: `${name}@example.test` })),
  });
  await start();
  const endMs = Date.now() - CONFIRMED_MS;
  const attempts = files.flatMap((file) => sequenceOf(file, () => random.next(), endMs));
  const early = attempts.filter(({ isLate }) => !isLate);
  const late = attempts.filter(({ isLate }) => isLate);

  await publish(early);
  await settled(early.length);
  expect(wrongs()).toEqual([]);
  const first = disabledFiles();
  await publish(late);
  await settled(attempts.length);
  expect(wrongs()).toEqual([]);
  const enabledAgain = first.filter((file) => !disabledFiles().includes(file));
  const broken = [...answers].flatMap(([file, { isDefinite }]) => (isDefinite ? [file] : []));
  const kept = broken.filter((file) => disabledFiles().includes(file));
  console.log(
    `${SEQUENCES} sequences, ${attempts.length} attempts (seed ${SEED}): ${first.length} disabled, ` +
      `${enabledAgain.length} enabled again after a late success; ${kept.length} of ${broken.length} broken ones stay disabled`,
  );
  // The automation does act: a broken account stays enabled only where a new token is listed.
  expect(kept.length).toBeGreaterThan(broken.length / 2);
  expect(enabledAgain.length).toBeGreaterThan(0);
}, 1_800_000);

test('the events of a recorded gateway: only an account that failed for good is disabled', async () => {
  const indexes = [...new Set(RECORDED_EVENTS.map(({ event }) => String(event.auth_index)))];
  const fileOf = (index: string) => `account-${index}.json`;
  const typeOf = (index: string) => {
    const { provider } = RECORDED_EVENTS.find(({ event }) => event.auth_index === index)?.event ?? {};
    return String(provider);
  };
  gateway = await startTestGateway({
    authFiles: indexes.map((authIndex) => ({
      name: fileOf(authIndex),
      type: typeOf(authIndex),
      email: `${authIndex}@example.test`,
      authIndex,
    })),
  });
  await start('subscribe');
  await until(async () => (await manager.json<{ collector: { transport?: string } }>('/status')).collector.transport);
  // As they were, but a moment ago.
  const shiftMs = Date.now() - CONFIRMED_MS - Date.parse(String(RECORDED_EVENTS.at(-1)?.event.timestamp));
  for (const { event } of RECORDED_EVENTS) {
    const atMs = Date.parse(String(event.timestamp)) + shiftMs;
    await gateway.publish(JSON.stringify({ ...event, timestamp: new Date(atMs).toISOString() }));
    const file = fileOf(String(event.auth_index));
    const known = answers.get(file);
    const answer = { atMs, succeeded: event.failed === false, isDefinite: false };
    if (known === undefined || known.atMs < atMs) answers.set(file, answer);
  }
  await settled(RECORDED_EVENTS.length);
  expect(wrongs()).toEqual([]);
  // The one whose workspace is deactivated, and the one whose free usage is used up.
  expect(
    disabledFiles()
      .map((file) => typeOf(file.replace('account-', '').replace('.json', '')))
      .toSorted(),
  ).toEqual(['codex', 'xai']);
}, 1_800_000);
