import { isRecord } from '../../../platform/browser/storage.ts';
import { type HiddenJson, hideSecrets, revealedJson } from '../../../platform/format/hidden-json.ts';
import type { PluginField } from './plugin.ts';

/** Settings of a plugin as the gateway stores them, members without a field included. */
export type Settings = Readonly<Record<string, unknown>>;

/** What is being edited. */
export interface SettingsDraft {
  readonly settings: Settings;
  /** Texts that are no value of their field yet. */
  readonly unfinished: Readonly<Record<string, string>>;
}

/** `enabled` has a switch of its own; the gateway keeps it where a body lacks it. */
export const withoutSwitch = ({ enabled: _, ...settings }: Settings): Settings => settings;

export const draftOf = (settings: Settings): SettingsDraft => ({ settings: withoutSwitch(settings), unfinished: {} });

const NO_SECRETS: HiddenJson['secrets'] = new Map();

const isJson = ({ type }: PluginField) => type === 'array' || type === 'object';

/** The value of a field as JSON text, its secrets as placeholders. */
function hiddenValue(settings: Settings, { name }: PluginField): HiddenJson {
  const { text, secrets } = hideSecrets({ [name]: settings[name] }, isSecretSetting);
  const { [name]: value } = JSON.parse(text) as Settings;
  return { text: JSON.stringify(value), secrets };
}

/** The text in a field's input, where secrets inside JSON are placeholders; '' = not set. */
export function textOf({ settings, unfinished }: SettingsDraft, field: PluginField): string {
  const typed = unfinished[field.name];
  if (typed !== undefined) return typed;
  const value = settings[field.name];
  if (value === undefined || value === null) return '';
  if (isJson(field)) return hiddenValue(settings, field).text;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The value of a typed text; undefined = none of this type. */
function typedValue({ type }: PluginField, typed: string, secrets: HiddenJson['secrets']): unknown {
  if (type === 'string' || type === 'enum') return typed;
  if (type === 'boolean') return typed === 'true' ? true : typed === 'false' ? false : undefined;
  if (type === 'number' || type === 'integer') {
    const value = Number(typed);
    return Number.isFinite(value) && (type === 'number' || Number.isSafeInteger(value)) ? value : undefined;
  }
  try {
    const value = revealedJson(typed, secrets);
    return (type === 'array' ? Array.isArray(value) : isRecord(value)) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The draft after typing. An empty text removes the setting, so that the plugin uses its own. */
export function typeInto({ settings, unfinished }: SettingsDraft, field: PluginField, typed: string): SettingsDraft {
  const { [field.name]: _, ...others } = unfinished;
  if (typed.trim() === '') {
    const { [field.name]: _removed, ...rest } = settings;
    return { settings: rest, unfinished: others };
  }
  const secrets = isJson(field) ? hiddenValue(settings, field).secrets : NO_SECRETS;
  const value = typedValue(field, field.type === 'string' ? typed : typed.trim(), secrets);
  if (value === undefined) return { settings, unfinished: { ...others, [field.name]: typed } };
  return { settings: { ...settings, [field.name]: value }, unfinished: others };
}

const SECRET_NAME = /key|token|secret|passw|credential|cookie|authorization/i;

/** Whether the text of a setting stays masked. */
export const isSecretSetting = (name: string, parent: string): boolean =>
  SECRET_NAME.test(name) || SECRET_NAME.test(parent) || parent === 'headers';
