import type { ReactNode } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { Button } from '../controls/button.tsx';
import { Shape, type StatusTone } from '../display/status.tsx';
import { Icon } from '../icons.tsx';

/** One line: shape, bold fact, consequence, one link. */
export function Note({
  tone,
  fact,
  children,
  action,
  onDismiss,
  dismissLabel,
}: {
  readonly tone: Extract<StatusTone, 'ok' | 'warn' | 'bad' | 'wait'>;
  readonly fact: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly onDismiss?: (() => void) | undefined;
  /** Where it does more than close it. */
  readonly dismissLabel?: string;
}) {
  const { t } = useText();
  return (
    <div className="note" data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <Shape tone={tone} />
      <span className="wrap">
        <b>{fact}</b> {children}
      </span>
      <span className="spacer" />
      {action}
      {onDismiss && (
        <Button kind="quiet" square aria-label={dismissLabel ?? t('common.close')} onClick={onDismiss}>
          <Icon name="close" />
        </Button>
      )}
    </div>
  );
}
