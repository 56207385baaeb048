import type { AccountView } from '../accounts/account-types.ts';
import { credentialEvent, type EventCredential } from '../accounts/credential-events.ts';
import type { Simulator } from '../types.ts';
import type { OperatorAction } from './activity-types.ts';
import type { AuthFile } from './auth-file-store.ts';
import type { ManagementContext } from './context.ts';

type CredentialInterface = Pick<
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
>;

interface CredentialControls {
  readonly interface: CredentialInterface;
  /** An operator's actions on other things than auth files. */
  act(action: OperatorAction): void;
}

/** The part of the control interface about accounts. */
export function credentialControls(
  context: ManagementContext,
  wiring: { readonly publish: Simulator['publish']; readonly disconnect: () => void },
): CredentialControls {
  const { authFiles, accounts, clock, counts, faults, journal, operator, random } = context;

  function find(credential: string): AuthFile {
    const [file] = authFiles.named(credential);
    if (file === undefined) throw new Error(`no credential ${credential}`);
    return file;
  }

  const setAccount: Simulator['setAccount'] = (credential, change) => {
    if (!accounts.change(find(credential).authIndex, change)) throw new Error(`no account behind ${credential}`);
  };

  const publishFor: Simulator['publishFor'] = async (credential, event) => {
    const file = find(credential);
    const defaults = { nowMs: clock.now(), requestId: event.requestId ?? random.hex(8) };
    const published = credentialEvent(eventCredentialOf(file, accounts.view(file.authIndex)), event, defaults);
    await wiring.publish(published.event);
    return published;
  };

  return {
    interface: {
      account: (credential) => accounts.view(find(credential).authIndex),
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
    },
    act(action) {
      switch (action.do) {
        case 'account':
          setAccount(action.credential, action.change);
          break;
        case 'publish':
          void publishFor(action.credential, action.event);
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

function eventCredentialOf(file: AuthFile, account: AccountView | null): EventCredential {
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
