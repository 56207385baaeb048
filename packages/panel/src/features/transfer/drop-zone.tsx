import { Group } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Marked } from '../../ui/display/marked.tsx';
import type { FileChoice } from './use-file-choice.ts';

/** Where a file is chosen or dropped, with the accepted formats. */
export function DropZone({ choice }: { readonly choice: FileChoice }) {
  const { t } = useText();
  const [over, setOver] = useState(false);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file !== undefined) choice.offer(file);
  };
  return (
    <>
      <Group
        mih={72}
        p="md"
        className="drop-zone actions"
        {...(over ? { 'data-over': '' } : {})}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <span className="ink-2 only-wide">{t('transfer.dropHere')}</span>
        <Button kind="primary" onClick={() => choice.open()}>
          {t('transfer.choose')}
        </Button>
        <span className="small ink-3">
          <Marked text={t('transfer.accepted')} />
        </span>
      </Group>
      <p className="small ink-3">
        {t('transfer.formats')} {t('transfer.repeats')}
      </p>
    </>
  );
}
