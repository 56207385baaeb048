import { useState } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { failureText } from '../../ui/feedback/states.tsx';
import type { RemoveOutcome } from './key-changes.ts';
import type { KeyRow } from './key-rows.ts';
import { aliasFailure, keyTitle, removalWords } from './key-words.ts';
import type { KeyChanges } from './use-key-changes.ts';

interface Said {
  readonly tone: 'ok' | 'warn' | 'bad';
  readonly fact: string;
  readonly text: string;
  readonly undo: (() => Promise<void>) | null;
}

interface Removal {
  /** What the page says of the last deletion. */
  readonly said: Said | null;
  readonly dismiss: () => void;
  /** @param dropped its name was removed too, so an undo stores it again */
  readonly tell: (outcome: RemoveOutcome, row: KeyRow, dropped: boolean) => void;
}

/** A deleted key can be added again as long as the page says that it is deleted. */
export function useRemoval(changes: KeyChanges): Removal {
  const { t } = useText();
  const masker = useMasker();
  const [said, setSaid] = useState<Said | null>(null);

  const tell: Removal['tell'] = (outcome, row, dropped) => {
    const { key } = row;
    const undo = outcome.kind === 'removed' && key !== null ? () => bringBack(row, key, dropped) : null;
    setSaid({ ...removalWords(outcome, keyTitle(row, masker), t), undo });
  };

  /** Never throws: what went wrong is said. */
  async function bringBack(row: KeyRow, key: string, dropped: boolean): Promise<void> {
    const title = keyTitle(row, masker);
    // The same key is never added twice.
    const undo = () => bringBack(row, key, dropped);
    const names = dropped && row.alias !== '' ? { own: row.alias, others: new Map(), takeFromOrphan: null } : null;
    try {
      const outcome = await changes.add(key, names, true);
      if (outcome.kind === 'missing') {
        setSaid({ tone: 'warn', fact: t('clientKeys.notAdded'), text: t('clientKeys.keyMissing'), undo });
      } else if (outcome.kind === 'unknown') {
        const fact = t('clientKeys.backUnknown', { key: title });
        setSaid({ tone: 'warn', fact, text: t('clientKeys.backUnknownText'), undo });
      } else {
        const nameError = outcome.kind === 'added' ? outcome.aliasError : null;
        const text =
          nameError === null
            ? t('clientKeys.backText')
            : `${t('clientKeys.aliasNotStored')} ${aliasFailure(nameError, t)}`;
        setSaid({
          tone: nameError === null ? 'ok' : 'warn',
          fact: t('clientKeys.back', { key: title }),
          text,
          undo: null,
        });
      }
    } catch (error) {
      const failure = failureText(error);
      setSaid({ tone: 'bad', fact: t('clientKeys.notAdded'), text: t(failure.key, failure.values), undo });
    }
  }

  return { said, dismiss: () => setSaid(null), tell };
}
