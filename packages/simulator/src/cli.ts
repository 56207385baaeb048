#!/usr/bin/env bun
import { parseArgs } from 'node:util';
import { backfillEvents, publishHistory, startDemoTraffic } from './demo.ts';
import { authFilesOf, makeAccounts } from './events/accounts.ts';
import { makeEvents } from './events/make-events.ts';
import { PROFILE_NAMES } from './profiles.ts';
import { startSimulator } from './simulator.ts';
import type { ProfileAlias } from './types.ts';

const USAGE = `Simulated gateway, as a program of its own.

  --port N           port of HTTP and RESP (default 8317; 0 = any)
  --control-port N   loopback port of the control interface (default: none)
  --host ADDRESS     address to listen on (default 127.0.0.1)
  --profile NAME     ${[...PROFILE_NAMES, 'v6.9', 'latest'].join(', ')}
  --key KEY          management key (default sim-management-key)
  --rate N           events per second (default 1; 0 = none)
  --accounts N       accounts that make the traffic (default 12)
  --auth-files N     auth files in the list (default: those of the accounts)
  --retention N      seconds the queue keeps events (default 60)
  --seed N           same seed, same events (default 1)
  --panel FILE       file served as /management.html (default: none)
  --numbered         number the events in their request_id, from 1
  --tls              self-signed TLS
  --demo             demo scenario instead of --rate; --history N adds the N hours before
  --help
`;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8317' },
    'control-port': { type: 'string' },
    host: { type: 'string', default: '127.0.0.1' },
    profile: { type: 'string', default: 'latest' },
    key: { type: 'string', default: 'sim-management-key' },
    rate: { type: 'string', default: '1' },
    accounts: { type: 'string', default: '12' },
    'auth-files': { type: 'string' },
    retention: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    panel: { type: 'string' },
    numbered: { type: 'boolean', default: false },
    tls: { type: 'boolean', default: false },
    demo: { type: 'boolean', default: false },
    history: { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}

const seed = Number(values.seed);
const accounts = makeAccounts(Number(values.accounts), seed);
const files = values['auth-files'];
const controlPort = values['control-port'];
const simulator = await startSimulator({
  port: Number(values.port),
  host: values.host,
  profile: values.profile as ProfileAlias,
  managementKey: values.key,
  retentionSeconds: Number(values.retention),
  authFiles: files === undefined ? authFilesOf(accounts, Date.now()) : Number(files),
  seed,
  tls: values.tls,
  ...(values.panel === undefined ? {} : { panelFile: values.panel }),
  ...(controlPort === undefined ? {} : { controlPort: Number(controlPort) }),
});

const stops: (() => void)[] = [];
if (values.demo) {
  stops.push(startDemoTraffic(simulator, { now: Date.now, random: Math.random }).stop);
  const hours = Number(values.history);
  const toMs = Date.now();
  const history = backfillEvents({ fromMs: toMs - hours * 3_600_000, toMs });
  if (hours > 0) stops.push(publishHistory(simulator, history).stop);
} else if (Number(values.rate) > 0) {
  const numbering = values.numbered ? { numberFrom: 1 } : {};
  const events = makeEvents({ seed, accounts, ...numbering });
  stops.push(simulator.startTraffic({ rate: Number(values.rate), events }).stop);
}

process.stdout.write(
  `${JSON.stringify({ url: simulator.url, controlUrl: simulator.controlUrl, profile: simulator.profile().name })}\n`,
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const stop of stops) stop();
    process.stderr.write(`${JSON.stringify(simulator.deliveries())}\n`);
    void simulator.stop().then(() => process.exit(0));
  });
}
