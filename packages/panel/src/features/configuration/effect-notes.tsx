import { shown } from '../../platform/format/shown.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { Note } from '../../ui/feedback/note.tsx';
import type { Effect } from './model/effects.ts';

const TEXTS = {
  keysStop: 'config.keysStop',
  keysStart: 'config.keysStart',
  entriesRemoved: 'config.entriesRemoved',
  entriesAdded: 'config.entriesAdded',
  entriesChanged: 'config.entriesChanged',
  rules: 'config.rulesChange',
  plugins: 'config.pluginsChange',
} as const satisfies Record<Effect['kind'], TextKey>;
const MAX_NAMES = 5;

/** What a text does to parts that have pages of their own. `restored`: it was the configuration once. */
export function EffectNotes({
  effects,
  restored,
}: {
  readonly effects: readonly Effect[];
  readonly restored: boolean;
}) {
  const { t } = useText();
  return effects.map(({ kind, names }) => (
    <Note
      key={kind}
      tone={kind === 'keysStop' || kind === 'entriesRemoved' ? 'warn' : 'wait'}
      fact={t(restored && kind === 'keysStart' ? 'config.keysAgain' : TEXTS[kind], {
        count: names.length,
        names:
          names
            .slice(0, MAX_NAMES)
            .map((name) => shown(name))
            .join(', ') + (names.length > MAX_NAMES ? ' …' : ''),
      })}
    />
  ));
}
