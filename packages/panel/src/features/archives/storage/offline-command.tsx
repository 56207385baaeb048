import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../../../platform/i18n/index.ts';
import { CopyButton } from '../../../ui/controls/copy.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { type Environment, offlineSteps } from './storage-view.ts';

/** Commands for the manager's machine, step by step. The panel cannot run them: the manager must be stopped. */
export function OfflineCommand({ command }: { readonly command: 'compact-usage' | 'cleanup-derived' }) {
  const { t } = useText();
  const [environment, setEnvironment] = useState<Environment>('native');
  return (
    <Stack>
      <Segmented
        label={t('storage.environment')}
        value={environment}
        options={[
          { value: 'native', label: t('storage.native') },
          { value: 'container', label: t('storage.container') },
        ]}
        onChange={setEnvironment}
      />
      <Stack component="ol" gap="sm">
        {offlineSteps(command, environment).map((step) => (
          <Stack component="li" gap={2} key={step.label}>
            <span className="small ink-3">{t(step.label)}</span>
            <span style={{ minHeight: 28, padding: '4px 8px' }} className="box row">
              <code className="mono wrap" style={{ flex: 1 }}>
                {step.command}
              </code>
              <CopyButton text={step.command} label={t(step.label)} />
            </span>
          </Stack>
        ))}
      </Stack>
      <p className="small ink-3">{t('storage.placeholders')}</p>
    </Stack>
  );
}
