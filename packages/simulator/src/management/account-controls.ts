import { createHash } from 'node:crypto';
import { accountEvent, type ListedAccount } from '../accounts/account-events.ts';
import type { AccountView } from '../accounts/account-types.ts';
import type { PublishedEvent } from '../accounts/event-types.ts';
import { sleep } from '../clock.ts';
import type { Simulator } from '../types.ts';
import type { OperatorAction } from './activity-types.ts';
import { type AuthFile, timeText } from './auth-file-store.ts';
import type { ManagementContext } from './context.ts';
import { findByAuthIndex } from './provider-lists.ts';

type AccountInterface = Pick<
  Simulator,
  | 'account'
  | 'setAccount'
  | 'setApiCallLatency'
  | 'operate'
  | 'hook'
  | 'hookFired'
  | 'releaseHook'
  | 'clearHooks'
  | 'activity'
  | 'clearActivity'
  | 'mutations'
  | 'clearMutations'
  | 'publishFor'
  | 'publishRefreshed'
  | 'refreshToken'
  | 'succeedSilently'
>;

interface AccountControls {
  readonly interface: AccountInterface;
  /** An operator's actions on other things than auth files. */
  act(action: OperatorAction): void;
}

/** The part of the control interface about accounts. */
export function accountControls(
  context: ManagementContext,
  wiring: { readonly publish: Simulator['publish']; readonly disconnect: () => void },
): AccountControls {
  const { authFiles, accounts, clock, counts, faults, journal, operator, random } = context;

  function find(account: string): AuthFile {
    const [file] = authFiles.named(account);
    if (file === undefined) throw new Error(`no account ${account}`);
    return file;
  }

  const setAccount: Simulator['setAccount'] = (account, change) => {
    if (!accounts.change(find(account).authIndex, change)) throw new Error(`no account behind ${account}`);
  };

  const publishFor: Simulator['publishFor'] = async (account, event) => {
    const file = find(account);
    const defaults = { nowMs: clock.now(), requestId: event.requestId ?? random.hex(8) };
    const published = accountEvent(listedAccountOf(file, accounts.view(file.authIndex)), event, defaults);
    await wiring.publish(published.event);
    return published;
  };

  const refreshToken: Simulator['refreshToken'] = (account, { atMs = clock.now(), listed = true } = {}) => {
    const file = find(account);
    const time = timeText(atMs);
    file.content = { ...file.content, access_token: `sim-access-token-${random.hex(16)}`, last_refresh: time };
    Object.assign(file.row, { modtime: time, updated_at: time, ...(listed ? { last_refresh: time } : {}) });
    context.reloaded();
  };

  const publishRefreshed: Simulator['publishRefreshed'] = async (account, request = {}) => {
    const { afterMs = 0, atMs, listed = true, requestId = random.hex(8), ...rest } = request;
    const file = find(account);
    const attempt = (kind: 'credentials-invalid' | 'success', startMs: number | undefined): Promise<PublishedEvent> => {
      const access_token_sha256 = createHash('sha256').update(String(file.content.access_token)).digest('hex');
      const when = startMs === undefined ? {} : { atMs: startMs };
      return publishFor(account, { ...rest, ...when, kind, requestId, members: { access_token_sha256 } });
    };
    const refused = await attempt('credentials-invalid', atMs);
    if (afterMs > 0 && atMs === undefined) await sleep(clock, afterMs);
    const successMs = atMs === undefined ? undefined : atMs + afterMs;
    refreshToken(account, { listed, ...(successMs === undefined ? {} : { atMs: successMs }) });
    return [refused, await attempt('success', successMs)];
  };

  const succeedSilently: Simulator['succeedSilently'] = (account, count = 1) => {
    const isKey = findByAuthIndex(context, account) !== null;
    const authIndex = isKey ? account : find(account).authIndex;
    for (let counted = 0; counted < count; counted += 1) context.counters.count(authIndex, false);
  };

  return {
    interface: {
      account: (account) => accounts.view(find(account).authIndex),
      setAccount,
      setApiCallLatency: context.apiCalls.setLatency,
      operate: operator.operate,
      hook: operator.hook,
      hookFired: operator.fired,
      releaseHook: operator.release,
      clearHooks: operator.clear,
      activity: counts.activity,
      clearActivity: counts.clear,
      mutations: journal.list,
      clearMutations: journal.clear,
      publishFor,
      publishRefreshed,
      refreshToken,
      succeedSilently,
    },
    act(action) {
      switch (action.do) {
        case 'account':
          setAccount(action.account, action.change);
          break;
        case 'publish':
          void publishFor(action.account, action.event);
          break;
        case 'publish-refreshed':
          void publishRefreshed(action.account, action.request);
          break;
        case 'succeed-silently':
          succeedSilently(action.account, action.count);
          break;
        case 'fault':
          faults.add(action.fault);
          break;
        case 'advance':
          clock.advance(action.ms);
          break;
        case 'disconnect':
          wiring.disconnect();
          break;
        default:
          operator.operate(action);
      }
    },
  };
}

function listedAccountOf(file: AuthFile, account: AccountView | null): ListedAccount {
  const { name, authIndex, row } = file;
  return {
    type: String(row.type),
    name,
    source: String(row.email ?? row.label ?? name),
    authIndex,
    plan: account?.plan ?? '',
    primary: account?.primary ?? null,
    secondary: account?.secondary ?? null,
  };
}
