import { Link } from '@tanstack/react-router';
import { useText } from '../../platform/i18n/index.ts';
import { useStore } from '../../platform/store.ts';
import { Status } from '../../ui/display/status.tsx';
import { useTransfers } from './transfers.ts';
import { chipView } from './upload-view.ts';

/** Shows the upload's progress on every page, and links to it. */
export function TransferChip() {
  const { t } = useText();
  const { uploads } = useTransfers();
  const state = useStore(uploads.store);
  const { percent } = uploads.controller.progress();
  const view = chipView(state, percent);
  if (view === null) return null;
  const text = t(view.text, { percent: view.percent ?? 0 });
  return (
    <Link
      to="/import-export"
      search={{}}
      className="transfer-chip row"
      style={{ minHeight: 'var(--square)' }}
      title={text}
    >
      <Status tone={view.tone} pill>
        <span className="only-wide ellipsis">{text}</span>
        <span className="only-narrow">
          <span className="visually-hidden">{text}</span>
          {view.percent !== null && `${view.percent}%`}
        </span>
      </Status>
    </Link>
  );
}
