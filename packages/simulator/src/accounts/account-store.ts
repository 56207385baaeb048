import type { JsonObject } from '../json.ts';
import type { AccountChange, AccountSpec, AccountView, WindowSpec, WindowView } from './account-types.ts';
import type { AccountModel, ApiCallRequest } from './answer.ts';
import type { ApiCallAnswer, ApiCallFailure } from './api-call-types.ts';
import { codexAccount } from './codex-answers.ts';
import { otherAccount } from './window-answers.ts';
import { xaiAccount } from './xai-answers.ts';

interface Entry {
  readonly spec: AccountSpec;
  readonly model: AccountModel;
}

/** Provider accounts by `auth_index`. */
export interface AccountStore {
  set(authIndex: string, spec: AccountSpec): void;
  /** False without a provider account. */
  change(authIndex: string, change: AccountChange): boolean;
  remove(authIndex: string): void;
  view(authIndex: string): AccountView | null;
  latencyMs(authIndex: string): number | null;
  /** null: no provider account, or a request it does not know. */
  answer(authIndex: string, request: ApiCallRequest): ApiCallAnswer | ApiCallFailure | null;
}

export function createAccountStore(now: () => number): AccountStore {
  const entries = new Map<string, Entry>();
  return {
    set(authIndex, spec) {
      entries.set(authIndex, { spec, model: modelOf(spec, now()) });
    },
    change(authIndex, change) {
      const entry = entries.get(authIndex);
      if (entry === undefined) return false;
      const spec = { ...carriedOn(entry, now()), ...change } as AccountSpec;
      entries.set(authIndex, { spec, model: modelOf(spec, now()) });
      return true;
    },
    remove: (authIndex) => void entries.delete(authIndex),
    view(authIndex) {
      const entry = entries.get(authIndex);
      if (entry === undefined) return null;
      const { spec, model } = entry;
      return {
        provider: spec.provider,
        authIndex,
        state: model.state,
        plan: model.plan,
        ...model.windows(now()),
        resetCredits: model.resetCredits(),
        spec: spec as unknown as JsonObject,
      };
    },
    latencyMs: (authIndex) => entries.get(authIndex)?.spec.latencyMs ?? null,
    answer(authIndex, request) {
      const entry = entries.get(authIndex);
      if (entry === undefined) return null;
      return entry.spec.failure ?? entry.model.answer(request, now());
    },
  };
}

function modelOf(spec: AccountSpec, setAtMs: number): AccountModel {
  switch (spec.provider) {
    case 'codex':
      return codexAccount(spec, setAtMs);
    case 'xai':
      return xaiAccount(spec, setAtMs);
    default:
      return otherAccount(spec, setAtMs);
  }
}

/** The specification that continues an account from now: its main windows and its credits as they are. */
function carriedOn({ spec, model }: Entry, nowMs: number): AccountSpec {
  const { primary, secondary } = model.windows(nowMs);
  if (spec.provider === 'xai') {
    const weekly = continued(spec.weekly ?? undefined, secondary, nowMs);
    return weekly === null ? spec : { ...spec, weekly };
  }
  const first = continued(spec.primary ?? undefined, primary, nowMs);
  const second = continued(spec.secondary ?? undefined, secondary, nowMs);
  return {
    ...spec,
    ...(first === null ? {} : { primary: first }),
    ...(second === null ? {} : { secondary: second }),
    ...(spec.provider === 'codex' ? { resetCredits: model.resetCredits() } : {}),
  } as AccountSpec;
}

function continued(spec: WindowSpec | undefined, view: WindowView | null, nowMs: number): WindowSpec | null {
  if (view === null) return null;
  const resetsInSeconds = (view.resetAtMs - nowMs) / 1000;
  return { ...spec, seconds: view.seconds, usedPercent: view.usedPercent, resetsInSeconds };
}
