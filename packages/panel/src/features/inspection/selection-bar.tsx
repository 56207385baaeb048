import type { ExecutableAction, InspectionResult } from '@manager/core/contract/inspection/runs';
import { Group } from '@mantine/core';
import { useText } from '../../platform/i18n/index.ts';
import { Button } from '../../ui/controls/button.tsx';
import { COMMAND_LABELS } from '../../ui/inspection/words.ts';
import { batchOf, type CommandBatch } from './batch.ts';

const COMMANDS: readonly ExecutableAction[] = ['enable', 'disable', 'delete'];

interface SelectionBarProps {
  readonly all: readonly InspectionResult[];
  readonly chosen: readonly InspectionResult[];
  /** Why actions are blocked; null = they are not. */
  readonly blocked: string | null;
  readonly onCommand: (batch: CommandBatch) => void;
  readonly onClear: () => void;
}

/** Actions on the selected results: each change has its own button and confirmation. */
export function SelectionBar({ all, chosen, blocked, onCommand, onClear }: SelectionBarProps) {
  const { t } = useText();
  const batches = COMMANDS.map((command) => batchOf(all, chosen, command)).filter(({ results }) => results.length > 0);
  return (
    <Group component="section" className="selection-bar" aria-label={t('inspection.selection')}>
      <span role="status">{t('inspection.selected', { count: chosen.length })}</span>
      {batches.map((batch) => (
        <Button
          key={batch.command}
          kind={batch.command === 'delete' ? 'danger' : 'default'}
          disabled={blocked !== null}
          onClick={() => onCommand(batch)}
        >
          {t(COMMAND_LABELS[batch.command])} · {batch.results.length}
        </Button>
      ))}
      {(blocked !== null || batches.length === 0) && (
        <span className="small ink-3">{blocked ?? t('inspection.nothingToDo')}</span>
      )}
      <span className="spacer" />
      <Button kind="quiet" onClick={onClear}>
        {t('inspection.clearSelection')}
      </Button>
    </Group>
  );
}
