import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { shown } from '../../../platform/format/shown.ts';
import { dateAndTime } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { diagnose } from '../../../platform/requests/diagnosis.ts';
import { eventJson, eventNames, failureStatus, requestedModel } from '../../../platform/requests/event-view.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useCopied } from '../../../ui/controls/copy.tsx';
import { useDrawerFocus } from '../../../ui/dialog/use-drawer-focus.ts';
import { Status } from '../../../ui/display/status.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { eventTone } from '../../../ui/requests/event-tone.ts';
import { eventAddress } from '../event-address.ts';
import type { CellContext } from '../list/event-cells.tsx';
import type { MonitoringSearch } from '../monitoring-search.ts';
import { accountSearch } from './account-link.ts';
import { DiagnosisSection } from './diagnosis-section.tsx';
import { IdentitySection, RoutingSection, TimingSection } from './event-sections.tsx';
import { MetadataSection } from './metadata-section.tsx';
import { RelatedSection } from './related-section.tsx';
import { RequestLogDialog } from './request-log.tsx';
import { TokensSection } from './tokens-section.tsx';

/** From this width on the drawer docks beside the page. */
export function useDocked(): boolean {
  return useMediaQuery('(min-width: 1360px)', false, { getInitialValueInEffect: false });
}

interface EventDrawerProps {
  /** null while loading or when not found: `children` shows which. */
  readonly event: EventRow | null;
  readonly children?: ReactNode;
  readonly context: CellContext;
  readonly docked: boolean;
  readonly onStep: ((step: 1 | -1) => void) | null;
  readonly onClose: () => void;
  readonly onSearch: (next: (before: MonitoringSearch) => MonitoringSearch) => void;
}

export function EventDrawer({ event, children, context, docked, onStep, onClose, onSearch }: EventDrawerProps) {
  const { t } = useText();
  const panel = useDrawerFocus(docked);
  const [linkCopied, copyLink] = useCopied();
  const [jsonCopied, copyJson] = useCopied();
  const [logOpen, setLogOpen] = useState(false);
  const diagnosis = event === null ? null : diagnose(event);
  const word =
    event === null || diagnosis === null ? t('event.ok') : `${failureStatus(event)} ${t(diagnosis.cause)}`.trim();
  const tone = event === null ? 'unknown' : eventTone(event);
  const names = event === null ? null : eventNames(event, context.keyNames, context.masker);
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      className="drawer"
      aria-label={t('drawer.label')}
      {...(docked ? {} : { 'data-overlay': '' })}
    >
      <div className="drawer-head">
        <div className="row">
          {event !== null && (
            <Status tone={tone === 'okQuiet' ? 'ok' : tone} pill>
              {word}
            </Status>
          )}
          <b className="ellipsis">{event === null ? t('drawer.label') : shown(requestedModel(event))}</b>
          <span className="spacer" />
          <span className="row only-wide" style={{ gap: 4 }}>
            <Button
              kind="quiet"
              square
              aria-label={t('drawer.previous')}
              disabled={onStep === null}
              onClick={() => onStep?.(-1)}
            >
              <Icon name="arrowUp" />
            </Button>
            <Button
              kind="quiet"
              square
              aria-label={t('drawer.next')}
              disabled={onStep === null}
              onClick={() => onStep?.(1)}
            >
              <Icon name="arrowDown" />
            </Button>
          </span>
          <Button
            kind="quiet"
            square
            aria-label={linkCopied ? t('common.copied') : t('drawer.copyLink')}
            onClick={() => copyLink(eventLink(event))}
          >
            <Icon name={linkCopied ? 'check' : 'link'} />
          </Button>
          <Button kind="quiet" square aria-label={t('common.close')} onClick={onClose}>
            <Icon name="close" />
          </Button>
        </div>
        {event !== null && (
          <div className="small ink-2" style={{ marginTop: 4 }}>
            {[
              `${dateAndTime(event.timestamp_ms, context.zone, context.locale, true)} ${context.zone}`,
              names?.account,
              names?.key,
            ]
              .filter((part) => part !== undefined && part !== '')
              .join(' · ')}
          </div>
        )}
      </div>
      <div className="drawer-scroll">
        {event === null ? (
          children
        ) : (
          <>
            <DiagnosisSection event={event} context={context} diagnosis={diagnosis} />
            <RelatedSection event={event} onSearch={onSearch} />
            <TimingSection event={event} />
            <TokensSection event={event} />
            <RoutingSection event={event} />
            <IdentitySection event={event} context={context} />
            <MetadataSection event={event} context={context} />
          </>
        )}
      </div>
      {event !== null && (
        <div className="drawer-foot">
          <Link to="/accounts" search={accountSearch(event)} className="button">
            {t('drawer.openAccount')}
          </Link>
          {event.request_id !== undefined && event.request_id !== '' && (
            <Button onClick={() => setLogOpen(true)}>{t('drawer.openLog')}</Button>
          )}
          <span className="spacer" />
          <Button kind="quiet" onClick={() => copyJson(eventJson(event, context.masker))}>
            {jsonCopied ? t('common.copied') : t('drawer.copyJson')}
          </Button>
        </div>
      )}
      {event?.request_id !== undefined && event.request_id !== '' && (
        <RequestLogDialog requestId={event.request_id} opened={logOpen} onClose={() => setLogOpen(false)} />
      )}
    </aside>
  );
}

/** Address of one request, with its time and without filters, so that it is always found. */
function eventLink(event: EventRow | null): string {
  if (event === null) return window.location.href;
  const [page] = window.location.href.split('#');
  return `${page}${eventAddress(event)}`;
}
