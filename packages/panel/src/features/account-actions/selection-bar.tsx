import type { CandidateCommand } from '@manager/core/accounts/failures/states';
import { Group } from '@mantine/core';
import { useText } from '../../platform/i18n/index.ts';
import { Button } from '../../ui/controls/button.tsx';

interface SelectionBarProps {
  readonly count: number;
  readonly busy: boolean;
  readonly onCommand: (command: Extract<CandidateCommand, 'ignore' | 'resolve'>) => void;
  readonly onClear: () => void;
}

/** Actions on several items: none that changes the gateway. */
export function SelectionBar({ count, busy, onCommand, onClear }: SelectionBarProps) {
  const { t } = useText();
  return (
    <Group component="section" className="selection-bar" aria-label={t('accountActions.selection')}>
      <span role="status">{t('accountActions.selected', { count })}</span>
      <Button disabled={busy} aria-busy={busy} onClick={() => onCommand('resolve')}>
        {t('accountActions.resolve')}
      </Button>
      <Button disabled={busy} aria-busy={busy} onClick={() => onCommand('ignore')}>
        {t('accountActions.ignore')}
      </Button>
      <Button kind="quiet" disabled={busy} onClick={onClear}>
        {t('accountActions.clearSelection')}
      </Button>
    </Group>
  );
}
