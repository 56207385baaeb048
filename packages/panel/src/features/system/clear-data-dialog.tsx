import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useServices } from '../../platform/api/services.ts';
import { clearStoredGroup, STORED_GROUPS, type StoredGroup } from '../../platform/browser/storage.ts';
import { type TextKey, useText } from '../../platform/i18n/index.ts';
import { ConfirmDialog } from '../../ui/dialog/dialog.tsx';

const LABELS: Readonly<Record<StoredGroup, readonly [label: TextKey, hint: TextKey]>> = {
  preferences: ['system.clearPreferences', 'system.clearPreferencesHint'],
  caches: ['system.clearCaches', 'system.clearCachesHint'],
  imports: ['system.clearImports', 'system.clearImportsHint'],
  session: ['system.clearSession', 'system.clearSessionHint'],
};

/** Deletes this panel's browser storage; nothing of it is on the server. */
export function ClearDataDialog({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const { t } = useText();
  const { session, queries } = useServices();
  const [chosen, setChosen] = useState<readonly StoredGroup[]>(['caches']);
  const clear = () => {
    for (const group of chosen) {
      clearStoredGroup(group);
      if (group === 'caches') void queries.invalidateQueries();
    }
    if (chosen.includes('session')) session.signOut();
    // This tab also has tags, views and preferences in memory.
    if (chosen.includes('preferences')) window.location.reload();
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('system.clear')}
      confirmLabel={t('system.clearNow')}
      disabled={chosen.length === 0}
      onConfirm={clear}
    >
      <Stack gap="lg" maw={640} pt="xs">
        {STORED_GROUPS.map((group) => (
          <label key={group} className="tick">
            <input
              type="checkbox"
              aria-label={t(LABELS[group][0])}
              checked={chosen.includes(group)}
              onChange={(event) =>
                setChosen(event.currentTarget.checked ? [...chosen, group] : chosen.filter((other) => other !== group))
              }
            />
            <span>
              {t(LABELS[group][0])}
              <span className="small ink-3" style={{ display: 'block' }}>
                {t(LABELS[group][1])}
              </span>
            </span>
          </label>
        ))}
      </Stack>
    </ConfirmDialog>
  );
}
