import { Group } from '@mantine/core';
import { useText } from '../../platform/i18n/index.ts';

/** Placeholders for loading rows. */
export function SkeletonRows({ count }: { readonly count: number }) {
  const { t } = useText();
  return (
    <div role="status" aria-label={t('table.loading')}>
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks are all alike.
        <Group key={row} wrap="nowrap" gap={24} px="md" h="var(--row)" className="panel-line">
          <div className="skeleton" style={{ width: 52 }} />
          <div className="skeleton" style={{ width: 36 }} />
          <div className="skeleton" style={{ width: `${28 - (row % 4) * 3}%` }} />
          <div className="skeleton only-wide" style={{ width: `${18 - (row % 3) * 3}%` }} />
          <span className="spacer" />
          <div className="skeleton" style={{ width: 44 }} />
        </Group>
      ))}
    </div>
  );
}
