import { TagsInput } from '@mantine/core';
import { useState } from 'react';
import type { AccountRow } from '../../platform/accounts/rows.ts';
import { changeTags } from '../../platform/accounts/tags.ts';
import { useText } from '../../platform/i18n/index.ts';
import { useMasker } from '../../platform/preferences/masking.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { exportFileName, saveFile } from '../../ui/table/export.ts';

/** Labels of one or several accounts: adding or removing applies to all of them. */
export function TagsDialog({
  rows,
  known,
  onClose,
}: {
  readonly rows: readonly AccountRow[] | null;
  /** Labels in use. */
  readonly known: readonly string[];
  readonly onClose: () => void;
}) {
  const { t } = useText();
  return (
    <Dialog opened={rows !== null} onClose={onClose} title={t('accounts.editTags')}>
      {rows !== null && <TagsForm rows={rows} known={known} onClose={onClose} />}
    </Dialog>
  );
}

function TagsForm({
  rows,
  known,
  onClose,
}: {
  readonly rows: readonly AccountRow[];
  readonly known: readonly string[];
  readonly onClose: () => void;
}) {
  const { t } = useText();
  const masker = useMasker();
  const [common] = useState(() => commonTags(rows));
  const [labels, setLabels] = useState<string[]>([...common]);
  const save = () => {
    const kept = new Set(labels);
    changeTags(
      rows.map(({ account }) => account),
      (before) => [...before.filter((label) => kept.has(label) || !common.includes(label)), ...labels],
    );
    onClose();
  };
  const saveAsFile = () => {
    const byAccount = rows.map(({ account, tags }) => ({
      file: masker.file(account.listed.name),
      tags: tags.map(masker.text),
    }));
    saveFile(
      `${exportFileName('tags', Date.now())}.json`,
      'application/json',
      `${JSON.stringify(byAccount, null, 1)}\n`,
    );
  };
  return (
    <>
      <TagsInput
        data-autofocus
        label={rows.length === 1 ? t('accounts.tags') : t('accounts.tagsOf', { count: rows.length })}
        description={t('accounts.tagsText')}
        data={[...known]}
        value={labels}
        onChange={setLabels}
        maxLength={40}
        maxTags={20}
      />
      <div className="dialog-actions">
        <Button kind="quiet" onClick={saveAsFile}>
          {t('export.json')}
        </Button>
        <span className="spacer" />
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button kind="primary" onClick={save}>
          {t('accounts.save')}
        </Button>
      </div>
    </>
  );
}

/** Labels that all of them have. */
function commonTags(rows: readonly AccountRow[]): readonly string[] {
  const [first, ...others] = rows;
  return (first?.tags ?? []).filter((label) => others.every(({ tags }) => tags.includes(label)));
}
