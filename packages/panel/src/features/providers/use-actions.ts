import { useState } from 'react';
import { type EditOutcome, undoOf } from '../../platform/gateway/list-edits.ts';
import { type Entry, withEnabled, withMember } from '../../platform/gateway/providers/entry.ts';
import type { Kind } from '../../platform/gateway/providers/kinds.ts';
import { useText } from '../../platform/i18n/index.ts';
import { failureOf, outcomeText, type Told } from '../../ui/gateway/edit-outcome.ts';
import type { ProviderRow } from './model/rows.ts';
import { rowTitle } from './provider-columns.tsx';
import type { EditProvider } from './use-providers.ts';

/** What the page says of the last change, with what can be done about it. */
interface Said extends Told {
  readonly action: { readonly label: 'undo' | 'mine'; readonly run: () => Promise<void> } | null;
}

export interface ProviderActions {
  readonly said: Said | null;
  readonly dismiss: () => void;
  /** Ids of the rows that are being changed. */
  readonly busy: ReadonlySet<string>;
  readonly setEnabled: (row: ProviderRow, enabled: boolean) => Promise<EditOutcome<Entry>>;
  readonly switchRow: (row: ProviderRow) => Promise<void>;
  readonly setPriority: (row: ProviderRow, priority: number) => Promise<void>;
  readonly remove: (row: ProviderRow) => Promise<void>;
  /** A change that the editor made. */
  readonly tell: (kind: Kind, name: string, outcome: EditOutcome<Entry>, told: Told) => void;
}

/** Changes of single entries from the list, each with its outcome and an undo. */
export function useActions(edit: EditProvider): ProviderActions {
  const { t } = useText();
  const [said, setSaid] = useState<Said | null>(null);
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());

  const tell = (kind: Kind, name: string, outcome: EditOutcome<Entry>, told: Told) => {
    const back = undoOf(outcome);
    const undo = back && (() => act(kind, name, () => edit(kind, back), false));
    setSaid({ ...told, action: undo && { label: 'undo', run: undo } });
  };

  /** Never throws: what went wrong is said. */
  const act = async (kind: Kind, name: string, change: () => Promise<EditOutcome<Entry>>, undo = true) => {
    try {
      const outcome = await change();
      const told = outcomeText(outcome, name, t);
      if (undo) tell(kind, name, outcome, told);
      else setSaid({ ...told, action: null });
    } catch (error) {
      setSaid({ ...failureOf(error, name, t), action: null });
    }
  };

  const during = async (row: ProviderRow, change: () => Promise<EditOutcome<Entry>>) => {
    setBusy((before) => new Set([...before, row.id]));
    await act(row.kind, rowTitle(row), change);
    setBusy((before) => new Set([...before].filter((id) => id !== row.id)));
  };

  const setEnabled = async ({ kind, entry }: ProviderRow, enabled: boolean) => {
    const from = (base: Entry) => edit(kind, { kind: 'change', base, entry: withEnabled(kind, base, enabled) });
    const outcome = await from(entry);
    // Whatever others excluded meanwhile, to switch it is still the same.
    return outcome.kind === 'conflict' ? from(outcome.theirs) : outcome;
  };

  return {
    said,
    dismiss: () => setSaid(null),
    busy,
    setEnabled,
    switchRow: (row) => during(row, () => setEnabled(row, !row.enabled)),
    setPriority: async (row, priority) => {
      const change = { kind: 'change', base: row.entry, entry: withMember(row.entry, 'priority', priority) } as const;
      const mine = () => during(row, () => edit(row.kind, change, { overrule: true }));
      let conflict: Said | null = null;
      await during(row, async () => {
        const outcome = await edit(row.kind, change);
        if (outcome.kind === 'conflict') {
          conflict = { ...outcomeText(outcome, rowTitle(row), t), action: { label: 'mine', run: mine } };
        }
        return outcome;
      });
      if (conflict !== null) setSaid(conflict);
    },
    remove: async (row) => {
      const name = rowTitle(row);
      const outcome = await edit(row.kind, { kind: 'remove', base: row.entry });
      const mine = () => during(row, () => edit(row.kind, { kind: 'remove', base: row.entry }, { overrule: true }));
      const told = outcomeText(outcome, name, t);
      if (outcome.kind === 'conflict') setSaid({ ...told, action: { label: 'mine', run: mine } });
      else tell(row.kind, name, outcome, told);
    },
    tell,
  };
}
