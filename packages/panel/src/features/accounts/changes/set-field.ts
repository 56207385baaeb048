import type { Account } from '../../../platform/accounts/account.ts';
import { isLostAnswer } from '../../../platform/api/errors.ts';
import { type ConfigValue, type ConfigValues, fieldNamed } from '../model/config-form.ts';
import { type SaveCalls, saveConfig } from '../model/save-config.ts';
import type { Command, Ending } from './batch.ts';

/** Gives all selected accounts one value of a field. */
export type FieldCommand = Extract<Command, { readonly kind: 'priority' | 'weight' | 'websockets' }>;

/** What the list shows of the field. */
function listedValue(kind: FieldCommand['kind'], { entry, priority, weight }: Account): ConfigValue {
  if (kind === 'websockets') return entry.websockets === true;
  const value = kind === 'priority' ? priority : weight;
  return value === null ? null : String(value);
}

/**
 * Sets the field in the file of one account, unless the file has neither the value that the person saw nor the new one.
 *
 * @throws what the gateway answered, when nothing was written
 */
export async function setField(command: FieldCommand, account: Account, calls: SaveCalls): Promise<Ending> {
  const { kind, value, seen } = command;
  const field = fieldNamed(kind);
  const base = { [kind]: seen?.get(account.key) ?? listedValue(kind, account) };
  const values = { [kind]: typeof value === 'number' ? String(value) : value };
  // Without a value they are off.
  const set = (of: ConfigValues): ConfigValues => (kind === 'websockets' ? { [kind]: of[kind] === true } : of);
  const read = async () => set(await calls.read());
  try {
    const saved = await saveConfig(base, values, [field], { ...calls, read }, [field]);
    switch (saved.kind) {
      case 'saved':
        return { kind: 'done' };
      case 'unknown':
        return { kind: 'lost', late: true };
      default:
        return { kind: saved.kind, field: field.label, now: saved.values[kind] ?? null };
    }
  } catch (error) {
    // The file shows that nothing was written.
    if (isLostAnswer(error)) return { kind: 'failed', error };
    throw error;
  }
}
