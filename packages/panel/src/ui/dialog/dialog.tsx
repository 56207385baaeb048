import { Modal, TextInput } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useText } from '../../platform/i18n/index.ts';
import { Button } from '../controls/button.tsx';
import { FailureLink, failureText } from '../feedback/states.tsx';
import { usePhone } from '../use-phone.ts';
import { isTyped } from './is-typed.ts';

interface DialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** 480 px for a form, 640 for something to read and check. */
  readonly size?: 'form' | 'review';
  /** Cannot be closed while an operation runs. */
  readonly locked?: boolean;
  /** A click outside does not close it, because something is typed in it. */
  readonly held?: boolean;
  /** Buttons, the main one last; they stay visible on small screens. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/**
 * A dialog over the page: takes the focus, traps it, and returns it to what opened it; Escape closes the top one only. The
 * element with `data-autofocus` has the first focus. Full screen on a phone.
 */
export function Dialog(props: DialogProps) {
  const { opened, onClose, title, size = 'form', locked = false, held = false, actions, children } = props;
  const { t } = useText();
  const content = useRef<Pick<DialogProps, 'title' | 'actions' | 'children'>>(null);
  useEffect(() => {
    if (opened) content.current = { title, actions, children };
  });
  // Callers often drop the content on close; it stays visible during the fade-out.
  const shown = opened ? { title, actions, children } : (content.current ?? { title, actions, children });
  const phone = usePhone();
  const inner = useRef<HTMLDivElement>(null);
  const wasLocked = useRef(locked);
  useEffect(() => {
    // The pressed button was disabled meanwhile, which loses the focus, and with it the keys.
    if (opened && wasLocked.current && !locked && document.activeElement === document.body)
      inner.current?.closest<HTMLElement>('[role="dialog"]')?.focus();
    wasLocked.current = locked;
  }, [opened, locked]);
  const close = () => {
    // A second click during the fade-out must not reach the next dialog.
    if (opened && !locked) onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    // Neither the page nor a dialog below this one may handle it too.
    event.stopPropagation();
    close();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={shown.title}
      size={size === 'form' ? 480 : 640}
      fullScreen={phone}
      closeOnEscape={false}
      closeOnClickOutside={!locked && !held}
      closeButtonProps={{ 'aria-label': t('common.close'), disabled: locked }}
      transitionProps={{ duration: phone ? 0 : 160 }}
      onKeyDown={onKeyDown}
    >
      <div ref={inner} inert={!opened}>
        {shown.children}
        {shown.actions !== undefined && <div className="dialog-actions">{shown.actions}</div>}
      </div>
    </Modal>
  );
}

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** The verb: "Delete files". */
  readonly confirmLabel: string;
  /** A promise keeps the dialog open and busy until it ends; on failure the dialog shows why and stays. */
  readonly onConfirm: () => void | Promise<void>;
  /** Cannot be undone: Cancel has the first focus, and the button has the failure color. */
  readonly danger?: boolean;
  /** Must be typed exactly to enable the button; a number also with separators. */
  readonly typedWord?: string;
  /** A required choice in it is missing. */
  readonly disabled?: boolean;
  readonly size?: 'form' | 'review';
  /** Explains a failure of `onConfirm`; null = the usual text for failed requests. */
  readonly failure?: (error: unknown) => string | null;
}

/**
 * Asks before something happens.
 *
 *     <ConfirmDialog opened={asking} onClose={() => setAsking(false)} title={t('…')} confirmLabel={t('…')}
 *       danger typedWord="DELETE" onConfirm={() => manager.deleteArchive(id)}>
 *       {t('…')}
 *     </ConfirmDialog>
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, title, size = 'form', typedWord } = props;
  const [busy, setBusy] = useState(false);
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={size} locked={busy} held={typedWord !== undefined}>
      {/* Mounted with the dialog: typed words and errors do not outlive it. */}
      <ConfirmForm {...props} busy={busy} onBusy={setBusy} />
    </Dialog>
  );
}

function ConfirmForm({
  opened,
  onClose,
  children,
  confirmLabel,
  onConfirm,
  danger = false,
  typedWord,
  failure: ownFailure,
  disabled = false,
  busy,
  onBusy,
}: ConfirmDialogProps & { readonly busy: boolean; readonly onBusy: (busy: boolean) => void }) {
  const { t } = useText();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<unknown>(null);
  const running = useRef(false);
  const ready = !disabled && (typedWord === undefined || isTyped(typed, typedWord));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // React passes it on to a form that renders the dialog, which would send what is only asked about.
    event.stopPropagation();
    // A second click may come before the button is drawn as disabled.
    if (!opened || !ready || running.current) return;
    running.current = true;
    onBusy(true);
    setError(null);
    try {
      await onConfirm();
      onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      running.current = false;
      onBusy(false);
    }
  };
  const failure = failureText(error);
  return (
    <form onSubmit={(event) => void submit(event)}>
      <div className="dialog-text">{children}</div>
      {typedWord !== undefined && (
        <TextInput
          size="md"
          mt="md"
          label={t('dialog.typeWord', { word: typedWord })}
          data-autofocus
          value={typed}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          disabled={busy}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {error !== null && (
        <p className="form-error" role="alert" style={{ marginTop: 12 }}>
          {ownFailure?.(error) ?? t(failure.key, failure.values)} <FailureLink error={error} />
        </p>
      )}
      <div className="dialog-actions">
        <Button
          onClick={onClose}
          disabled={busy}
          {...(danger && typedWord === undefined ? { 'data-autofocus': true } : {})}
        >
          {t('common.cancel')}
        </Button>
        <Button
          type="submit"
          kind={danger ? 'danger' : 'primary'}
          disabled={!ready || busy}
          aria-busy={busy}
          {...(!danger && typedWord === undefined ? { 'data-autofocus': true } : {})}
        >
          {confirmLabel}
        </Button>
      </div>
    </form>
  );
}
