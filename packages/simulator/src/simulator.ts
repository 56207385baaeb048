import { createAccountStore } from './accounts/account-store.ts';
import { createKeyCheck } from './authentication.ts';
import { createBans } from './bans.ts';
import { createClock } from './clock.ts';
import { startControlServer } from './control/server.ts';
import type { Fault } from './faults/fault-types.ts';
import { createFaults } from './faults/faults.ts';
import errorSamples from './fixtures/error-events.jsonl' with { type: 'text' };
import type { Exchange } from './http/exchange.ts';
import { createHttpServer } from './http/server.ts';
import { accountControls } from './management/account-controls.ts';
import { createAccountCounters } from './management/account-counters.ts';
import { createApiCalls } from './management/api-call-store.ts';
import { authFileSpecs, createAuthFileStore } from './management/auth-file-store.ts';
import { createCallCounts } from './management/call-counts.ts';
import { createConfigStore } from './management/config-store.ts';
import type { ManagementContext } from './management/context.ts';
import { initialConfig } from './management/initial-config.ts';
import { createJournal } from './management/journal.ts';
import { createLogStore } from './management/log-store.ts';
import { completeSession } from './management/oauth-routes.ts';
import { createOAuthSessions } from './management/oauth-sessions.ts';
import { createOperator } from './management/operator.ts';
import { createPluginStore } from './management/plugin-store.ts';
import { createManagementServer, MANAGEMENT_PREFIX } from './management/server.ts';
import { createModelServer } from './model/server.ts';
import { selfSigned } from './net/certificate.ts';
import type { Connection } from './net/connection.ts';
import { createListener, type Listener } from './net/listener.ts';
import { encodeEvent, toPayload } from './payload.ts';
import { profileOf } from './profiles.ts';
import { createPublisher } from './publisher.ts';
import { createLedger } from './queue/ledger.ts';
import { createUsageQueue } from './queue/usage-queue.ts';
import { createRandom } from './random.ts';
import { createRecorder } from './recorder.ts';
import { failure } from './resp/encode.ts';
import { serveResp } from './resp/session.ts';
import type { Simulator, SimulatorOptions } from './types.ts';

/** 2026-09-01T08:15:00Z, the day of the fixtures. */
const DEFAULT_START_MS = Date.UTC(2026, 8, 1, 8, 15);
/** The gateway reloads its accounts a moment after the answer that changed them. */
const RELOAD_MS = 200;
const REFRESH = Buffer.from('{"refresh":true}');

/** Starts a gateway on a loopback port; resolves when it listens. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const host = options.host ?? '127.0.0.1';
  const clock = createClock(options.clock ?? 'real', options.startMs ?? DEFAULT_START_MS);
  const random = createRandom(options.seed ?? 1);
  let profile = profileOf(options.profile ?? 'latest');
  let callerAddress = options.callerAddress ?? null;
  let isReady = false;
  const effectiveAddress = (address: string): string => callerAddress ?? address;

  const faults = createFaults({ added: faultAdded, cleared: faultCleared });
  const bans = createBans(clock);
  const ledger = createLedger(clock.now);
  const recorder = createRecorder({ now: clock.now, limit: options.recordLimit ?? 20_000 });
  const config = createConfigStore({ yaml: options.configYaml ?? initialConfig(options), changed: configChanged });
  const queue = createUsageQueue({ clock, ledger, faults, retentionMs: config.retentionMs });
  const counters = createAccountCounters(clock.now);
  const accounts = createAccountStore(clock.now);
  const authFiles = createAuthFileStore(counters, accounts, clock.now, config.authDirectory);
  for (const spec of authFileSpecs(options.authFiles)) authFiles.add(spec);
  const journal = createJournal(clock.now);
  const reloaded = (): void => void clock.after(RELOAD_MS, sendRefresh);
  let listFilters = options.listFilters ?? true;
  const context: ManagementContext = {
    clock,
    random,
    faults,
    profile: () => profile,
    queue,
    config,
    counters,
    authFiles,
    accounts,
    counts: createCallCounts(),
    journal,
    operator: createOperator({
      authFiles,
      journal,
      now: clock.now,
      reloaded,
      others: (action) => controls.act(action),
    }),
    listFilters: () => listFilters,
    apiCalls: createApiCalls(options.apiCallLatencyMs ?? 0),
    oauth: createOAuthSessions(clock, random),
    logs: createLogStore(options.requestLogs),
    plugins: createPluginStore(config, options.installedPlugins),
    statusWordDelayMs: options.statusWordDelayMs ?? 50,
    hasInternet: () => options.internet ?? true,
    reloaded,
  };
  const checkKey = createKeyCheck(
    { hasKey: config.hasKey, matches: config.matchesKey, remoteAllowed: config.remoteAllowed },
    bans,
  );
  const writesAccess = options.accessLog ?? false;
  const management = createManagementServer({ context, checkKey, effectiveAddress, writesAccess });
  const model = createModelServer(context, options.panelFile ?? null);
  const publisher = createPublisher({ publishOne, succeedSilently: (authIndex) => counters.count(authIndex, false) });
  const controls = accountControls(context, {
    publish: publisher.publish,
    disconnect: () => void disconnect('all'),
  });

  const tls = tlsOf(options);
  const serveHttp = createHttpServer({ faults, recorder, clock, handle });
  const listener: Listener = await createListener({
    host,
    port: options.port ?? 0,
    tls,
    clock,
    faults,
    hasDeadline: () => profile.endpoints.has('first-byte-deadline'),
    serveHttp,
    serveResp: startResp,
  });
  isReady = true;

  function handle(exchange: Exchange): Promise<void> {
    const { path } = exchange;
    const isManagement = path === MANAGEMENT_PREFIX || path.startsWith(`${MANAGEMENT_PREFIX}/`);
    return isManagement ? management(exchange) : model(exchange);
  }

  function startResp(connection: Connection): void {
    if (profile.resp === 'http-400') serveHttp(connection);
    else if (profile.resp === 'auth-disabled') refuse(connection, 'ERR RESP AUTH disabled; use mTLS');
    else if (profile.resp === 'cluster-text') refuse(connection, 'ERR redis usage output disabled in home mode');
    else if (profile.resp === 'close' || !config.hasKey()) connection.end();
    else
      serveResp(connection, {
        profile: () => profile,
        checkKey,
        callerAddress: effectiveAddress,
        queue,
        ledger,
        faults,
        recorder,
        clock,
      });
  }

  function refuse(connection: Connection, text: string): void {
    connection.socket.end(failure(text));
  }

  /** Switching management off clears the queue and closes the subscribers. */
  function configChanged(): void {
    if (isReady && !config.hasKey()) queue.clear();
  }

  function publishOne(event: Parameters<typeof toPayload>[0], number: number | null): void {
    const payload = toPayload(event, profile);
    if (payload.authIndex !== '') counters.count(payload.authIndex, payload.failed);
    const numbered = number === null ? payload : { ...payload, number };
    const isPublishing = profile.management === 'on' && config.hasKey() && config.statsEnabled();
    if (isPublishing) queue.publish(numbered);
    else queue.suppress(numbered);
  }

  function sendRefresh(): void {
    if (profile.controlMessages) queue.broadcast('usage', REFRESH);
  }

  function faultAdded(fault: Fault, id: number): void {
    if (fault.kind === 'refuse-connections') {
      listener.close();
      if (fault.dropOpen === true) disconnect('all');
      if (fault.forMs !== undefined) clock.after(fault.forMs, () => faults.clear(id));
    } else if (fault.kind === 'freeze') for (const connection of listener.connections()) connection.freeze(true);
    else if (fault.kind === 'block-subscribers') holdSubscribers(true);
    else if (fault.kind === 'extra-frame' && queue.subscribers().length > 0) {
      const taken = faults.take('extra-frame');
      if (taken !== null) for (const subscriber of queue.subscribers()) subscriber.extra(taken.frame);
    } else if (fault.kind === 'drip' && fault.times === 'always') {
      for (const connection of respConnections()) connection.packetBytes = fault.bytes ?? 1;
    }
  }

  function faultCleared(fault: Fault): void {
    if (fault.kind === 'refuse-connections') listener.reopen();
    else if (fault.kind === 'freeze') for (const connection of listener.connections()) connection.freeze(false);
    else if (fault.kind === 'block-subscribers') holdSubscribers(false);
    else if (fault.kind === 'drip') for (const connection of respConnections()) connection.packetBytes = 0;
  }

  function respConnections(): Connection[] {
    return listener.connections().filter((connection) => connection.protocol === 'resp');
  }

  function holdSubscribers(held: boolean): void {
    for (const subscriber of queue.subscribers()) subscriber.hold(held);
  }

  function disconnect(what: 'subscribers' | 'resp' | 'http' | 'all'): number {
    const subscribers = new Set(queue.subscribers().map((subscriber) => subscriber.connectionId));
    const meant = listener.connections().filter((connection) => {
      if (what === 'subscribers') return subscribers.has(connection.id);
      return what === 'all' || connection.protocol === what;
    });
    for (const connection of meant) connection.reset();
    return meant.length;
  }

  const simulator: Simulator = {
    url: `${tls === null ? 'http' : 'https'}://${host}:${listener.port}`,
    host,
    port: listener.port,
    controlUrl: '',
    certificate: tls?.cert ?? '',
    publish: publisher.publish,
    startTraffic: publisher.startTraffic,
    publishError(event = errorSamples.split('\n')[0] ?? '') {
      const text = typeof event === 'string' ? event : encodeEvent(event);
      queue.broadcast('errors', Buffer.from(text));
    },
    refresh: (pace = {}) => publisher.repeat(sendRefresh, pace),
    now: clock.now,
    advance: clock.advance,
    setStats: (enabled) => config.set(['usage-statistics-enabled'], enabled),
    setRetention: (seconds) => config.set(['redis-usage-queue-retention-seconds'], seconds ?? undefined),
    setKey: config.setKey,
    setRemote: (allowed) => config.set(['remote-management', 'allow-remote'], allowed),
    setCallerAddress(address) {
      callerAddress = address;
    },
    setProfile(name) {
      profile = profileOf(name);
      if (profile.management !== 'on') queue.clear();
    },
    profile: () => profile,
    restart({ dropQueue = true, downMs } = {}) {
      if (dropQueue) queue.clear();
      counters.reset();
      bans.reset();
      config.forgetKey();
      context.oauth.reset();
      if (downMs === undefined) disconnect('all');
      else faults.add({ kind: 'refuse-connections', forMs: downMs, dropOpen: true });
    },
    disconnect,
    queueLength: queue.length,
    subscribers: () =>
      queue.subscribers().map((subscriber) => ({
        connectionId: subscriber.connectionId,
        channel: subscriber.channel,
        buffered: subscriber.unwritten(),
      })),
    bans: bans.list,
    requests: recorder.list,
    clearRequests: recorder.clear,
    deliveries: ({ lostEvents = false } = {}) => ledger.deliveries(lostEvents),
    fate: ledger.fate,
    fault: faults.add,
    clearFaults: faults.clear,
    authFiles: () => authFiles.rows(profile),
    addAuthFile(file) {
      authFiles.add(file);
      context.reloaded();
    },
    removeAuthFile: authFiles.remove,
    addApiCall: context.apiCalls.add,
    setListFilters(enabled) {
      listFilters = enabled;
    },
    ...controls.interface,
    config: config.view,
    configYaml: config.yaml,
    completeOAuth(state, result) {
      const session = context.oauth.find(state);
      if (session === null || session.outcome !== null) return false;
      const ending = result === 'ok' ? {} : result;
      completeSession(context, session, ending);
      return true;
    },
    writeLog: context.logs.write,
    writeRequestLog: (log) =>
      context.logs.writeRequestLog(
        log,
        Math.floor(clock.now() / 1000),
        Number(config.get(['error-logs-max-files']) ?? 10),
      ),
    rotateLog: context.logs.rotate,
    async stop() {
      publisher.stop();
      clock.stop();
      listener.stop();
    },
  };
  return options.controlPort === undefined ? simulator : startControlServer(simulator, options.controlPort);
}

function tlsOf(options: SimulatorOptions): { key: string; cert: string; alpn: boolean } | null {
  if (options.tls === undefined || options.tls === false) return null;
  const given = options.tls === true ? {} : options.tls;
  const { key, certificate } = selfSigned(given.hostName ?? 'localhost');
  return { key, cert: certificate, alpn: given.alpn ?? true };
}
