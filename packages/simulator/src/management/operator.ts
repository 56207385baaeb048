import type { AuthFileSpec } from '../accounts/auth-file-spec.ts';
import type { ListedAccountChange, OperatorAction, OperatorHook } from './activity-types.ts';
import { type AuthFile, type AuthFileStore, timeText } from './auth-file-store.ts';
import type { CallKind } from './call-kinds.ts';
import { type CallSubject, isAbout } from './call-subject.ts';
import { changeOf, type Journal } from './journal.ts';

interface OperatorDependencies {
  readonly authFiles: AuthFileStore;
  readonly journal: Journal;
  readonly now: () => number;
  readonly reloaded: () => void;
  /** Actions on other things than auth files. */
  readonly others: (action: OtherAction) => void;
}

type OtherAction = Exclude<OperatorAction, { readonly do: 'disable' | 'enable' | 'delete' | 'replace' | 'add' }>;

/** An operator who changes things at the same time. */
export interface Operator {
  operate(action: OperatorAction): void;
  hook(hook: OperatorHook): number;
  fired(id: number): number | null;
  release(id: number): void;
  clear(id?: number): void;
  /** A request has reached one of its hook points: resolves when it may continue. */
  reached(subject: CallSubject, when: 'before' | 'after'): Promise<void>;
}

interface Entry {
  readonly id: number;
  readonly hook: OperatorHook;
  skip: number;
  left: number;
  fired: number;
  readonly held: Set<() => void>;
}

const CREDENTIAL_MUTATIONS: ReadonlySet<CallKind> = new Set(['status', 'fields', 'upload', 'delete']);

export function createOperator(dependencies: OperatorDependencies): Operator {
  const { authFiles, journal } = dependencies;
  let entries: Entry[] = [];
  let nextId = 1;

  function fits({ hook }: Entry, subject: CallSubject, when: 'before' | 'after'): boolean {
    if (when !== (hook.when ?? 'after')) return false;
    const isKind =
      hook.on === 'any' || (hook.on === 'mutation' ? CREDENTIAL_MUTATIONS.has(subject.kind) : hook.on === subject.kind);
    if (!isKind) return false;
    if (hook.disabled !== undefined && hook.disabled !== subject.disabled) return false;
    return hook.account === undefined || isAbout(subject, hook.account, authFiles);
  }

  function operate(action: OperatorAction): void {
    switch (action.do) {
      case 'disable':
      case 'enable':
        setDisabled(action.account, action.do === 'disable');
        break;
      case 'delete':
        journal.operator('delete', [action.account], removeFile(action.account));
        break;
      case 'replace': {
        const removed = removeFile(action.account);
        const specs: readonly AuthFileSpec[] = 'name' in action.by ? [action.by] : action.by;
        const added = specs.map((spec) => changeOf(authFiles.add(spec), 'written', false));
        journal.operator('upload', [action.account], [...removed, ...added]);
        break;
      }
      case 'add': {
        const file = authFiles.add(action.file);
        journal.operator('upload', [file.name], [changeOf(file, 'written', false)]);
        break;
      }
      default:
        dependencies.others(action);
        return;
    }
    dependencies.reloaded();
  }

  /** A name or id selects what a request with it would; an index selects that account. */
  function setDisabled(account: string, disabled: boolean): void {
    const named = found(account);
    const affected = authFiles.affectedBy(account);
    const changes: ListedAccountChange[] = [];
    for (const file of affected.length > 0 ? affected : named.slice(0, 1)) {
      changes.push(changeOf(file, disabled ? 'disabled' : 'enabled', file.disabled));
      setFileDisabled(file, disabled, dependencies.now());
    }
    journal.operator('status', [account], changes);
  }

  function removeFile(account: string): ListedAccountChange[] {
    const name = found(account)[0]?.name ?? '';
    const changes = authFiles.named(name).map((file) => changeOf(file, 'deleted', file.disabled));
    authFiles.remove(name);
    return changes;
  }

  function found(account: string): readonly AuthFile[] {
    const files = authFiles.named(account);
    if (files.length === 0) throw new Error(`no account ${account}`);
    return files;
  }

  function letGo(entry: Entry): void {
    for (const release of [...entry.held]) release();
    entry.held.clear();
  }

  return {
    operate,
    hook(hook) {
      const left = hook.times === 'always' ? Number.POSITIVE_INFINITY : (hook.times ?? 1);
      const id = nextId;
      nextId += 1;
      entries.push({ id, hook, skip: (hook.nth ?? 1) - 1, left, fired: 0, held: new Set() });
      return id;
    },
    fired: (id) => entries.find((entry) => entry.id === id)?.fired ?? null,
    release(id) {
      for (const entry of entries) if (entry.id === id) letGo(entry);
    },
    clear(id) {
      const removed = entries.filter((entry) => id === undefined || entry.id === id);
      entries = entries.filter((entry) => !removed.includes(entry));
      for (const entry of removed) letGo(entry);
    },
    async reached(subject, when) {
      for (const entry of [...entries]) {
        if (entry.left <= 0 || !fits(entry, subject, when)) continue;
        if (entry.skip > 0) {
          entry.skip -= 1;
          continue;
        }
        entry.left -= 1;
        entry.fired += 1;
        for (const action of entry.hook.actions ?? []) operate(action);
        await entry.hook.run?.();
        if (entry.hook.hold === true) await new Promise<void>((resolve) => entry.held.add(resolve));
      }
    },
  };
}

/** Sets the state everywhere at once: no reload delays an operator's change. */
function setFileDisabled(file: AuthFile, disabled: boolean, nowMs: number): void {
  file.disabled = disabled;
  file.content.disabled = disabled;
  file.row.status = disabled ? 'disabled' : 'active';
  file.row.status_message = '';
  file.row.updated_at = timeText(nowMs);
}
