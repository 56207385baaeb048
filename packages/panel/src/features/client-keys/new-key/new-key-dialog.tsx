import { useState } from 'react';
import { useText } from '../../../platform/i18n/index.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import type { KeyRow } from '../key-rows.ts';
import type { NewKeyDialogProps, StoredKey } from './new-key.ts';
import { NewKeyDone } from './new-key-done.tsx';
import { NewKeyForm } from './new-key-form.tsx';

/** Makes a key, alone or as the successor of another one, which stays until it is deleted. */
export function NewKeyDialog(props: NewKeyDialogProps) {
  const { t } = useText();
  const [busy, setBusy] = useState(false);
  const { opened, onClose, successorOf } = props;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      locked={busy}
      title={t(successorOf === null ? 'clientKeys.newTitle' : 'clientKeys.rotateTitle')}
    >
      {/* Mounted with the dialog: no key outlives it. */}
      <NewKeySteps {...props} busy={busy} onBusy={setBusy} />
    </Dialog>
  );
}

function NewKeySteps(props: NewKeyDialogProps & { readonly busy: boolean; readonly onBusy: (busy: boolean) => void }) {
  const [stored, setStored] = useState<StoredKey | null>(null);
  return stored === null ? (
    <NewKeyForm
      {...props}
      onStored={(key) => {
        setStored(key);
        props.onStored(key);
      }}
    />
  ) : (
    <NewKeyDone
      stored={stored}
      successorOf={props.successorOf === null ? null : renamed(props.successorOf, props.aliases)}
      onClose={props.onClose}
    />
  );
}

/** Under its present name: it may have passed to the new key. */
const renamed = (row: KeyRow, aliases: ReadonlyMap<string, string>): KeyRow => ({
  ...row,
  alias: aliases.get(row.hash) ?? row.alias,
});
