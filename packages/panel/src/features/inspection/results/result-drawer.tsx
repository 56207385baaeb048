import type { ExecutableAction, InspectionResult } from '@manager/core/contract/inspection/runs';
import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SIGN_IN_PATH, signInAgain } from '../../../platform/accounts/sign-in-again.ts';
import { formatShare } from '../../../platform/format/format.ts';
import { shown } from '../../../platform/format/shown.ts';
import { dateAndTime } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useDrawerFocus } from '../../../ui/dialog/use-drawer-focus.ts';
import { FactLines } from '../../../ui/display/fact-lines.tsx';
import { Status } from '../../../ui/display/status.tsx';
import { Note } from '../../../ui/feedback/note.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { reasonText } from '../../../ui/inspection/reasons.ts';
import { ACTION_WORDS, COMMAND_LABELS, STATE_WORDS } from '../../../ui/inspection/words.ts';
import { QuotaBar } from './quota-cell.tsx';
import { windowName } from './quota-view.ts';
import { AccountState, accountText, type ResultCellContext, Suggestion } from './result-columns.tsx';
import { isActionable } from './result-view.ts';

interface ResultDrawerProps {
  /** Null while loading or when the run has none with this id: `children` shows which. */
  readonly result: InspectionResult | null;
  readonly children?: ReactNode;
  readonly context: ResultCellContext;
  readonly docked: boolean;
  /** Why actions are blocked; null = they are not. */
  readonly blocked: string | null;
  readonly onCommand: (result: InspectionResult, command: ExecutableAction) => void;
  readonly onClose: () => void;
}

/** Findings about one account, and its actions. */
export function ResultDrawer(props: ResultDrawerProps) {
  const { result, children, context, docked, blocked, onCommand, onClose } = props;
  const { t } = useText();
  const panel = useDrawerFocus(docked);
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      className="drawer"
      aria-label={t('inspection.result')}
      {...(docked ? {} : { 'data-overlay': '' })}
    >
      <div className="drawer-head row">
        {result !== null && <Suggestion result={result} t={t} pill />}
        <b className="ellipsis">{result === null ? t('inspection.result') : accountText(result, context.masker)}</b>
        <span className="spacer" />
        <Button kind="quiet" square aria-label={t('common.close')} onClick={onClose}>
          <Icon name="close" />
        </Button>
      </div>
      <div className="drawer-scroll">
        {result === null ? (
          children
        ) : (
          <>
            <Credits result={result} context={context} />
            <Facts result={result} context={context} />
            <Windows result={result} context={context} />
            <Failure result={result} context={context} />
          </>
        )}
      </div>
      {result !== null && isActionable(result) && (
        <Foot result={result} blocked={blocked} onCommand={(command) => onCommand(result, command)} />
      )}
    </aside>
  );
}

interface PartProps {
  readonly result: InspectionResult;
  readonly context: ResultCellContext;
}

function Credits({ result, context }: PartProps) {
  const { t } = useText();
  const count = context.credits.get(result.id);
  if (count === undefined) return null;
  return (
    <section>
      <Note tone="warn" fact={t('inspection.credits', { count })}>
        {t('inspection.creditsText')}
      </Note>
    </section>
  );
}

/** With the threshold that decided, which providers with a long quota window have. */
function usedText({ usedPercent, provider }: InspectionResult, { t, threshold }: ResultCellContext): string {
  if (usedPercent === undefined) return '';
  const used = formatShare(usedPercent / 100);
  if (threshold === null || provider === 'xai') return used;
  return t('inspection.usedOf', { used, threshold: formatShare(threshold / 100) });
}

function Facts({ result, context }: PartProps) {
  const { t, locale } = useText();
  const { masker, zone } = context;
  const state = STATE_WORDS[result.actionStatus];
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('inspection.reason'), reasonText(result, t, masker)],
    [
      t('inspection.httpStatus'),
      result.statusCode === undefined ? t('inspectionQuota.unknown') : String(result.statusCode),
    ],
    [t('inspection.used'), usedText(result, context)],
    [t('inspection.accountState'), <AccountState key="state" result={result} t={t} />],
    [
      t('inspection.actionState'),
      <Status key="action" tone={state.tone}>
        {t(state.label)}
      </Status>,
    ],
    [t('inspection.executed'), result.executedAction === undefined ? '' : t(ACTION_WORDS[result.executedAction].label)],
    [t('filter.provider'), shown(result.provider)],
    [t('filter.quotaPlan'), shown(result.planType ?? '')],
    [t('filter.file'), shown(masker.file(result.fileName))],
    [t('filter.authIndex'), shown(result.authIndex ?? '')],
    [t('filter.project'), shown(masker.project(result.accountId ?? ''))],
    [t('inspection.upstreamState'), shown(masker.text([result.status, result.state].filter(Boolean).join(' · ')))],
    [t('inspection.autoRecover'), result.autoRecoverEligible ? t('inspection.autoRecoverYes') : ''],
    [t('inspection.probedAt'), `${dateAndTime(result.createdAtMs, zone, locale, true)} ${zone}`],
  ];
  const problem = shown(masker.text(result.actionError ?? ''));
  return (
    <section>
      <dl className="definitions">
        <FactLines facts={facts.filter(([, value]) => value !== '')} />
        {problem !== '' && (
          <>
            <dt>{t('inspection.actionProblem')}</dt>
            <dd>
              <span className="value tone-bad">{problem}</span>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

function Windows({ result, context }: PartProps) {
  const { t, locale } = useText();
  const { zone, now } = context;
  const windows = result.quotaWindows ?? [];
  return (
    <section>
      <h2>{t('inspection.quotaWindows')}</h2>
      {windows.length === 0 ? (
        <p className="ink-3">
          {result.quotaInventoryObserved ? t('inspectionQuota.noneText') : t('inspectionQuota.unknownText')}
        </p>
      ) : (
        <table className="data">
          <thead>
            <tr>
              <th style={{ width: 132 }}>{t('quota.window')}</th>
              <th>{t('quota.left')}</th>
              <th style={{ width: 150 }}>{t('quota.resets')}</th>
            </tr>
          </thead>
          <tbody>
            {windows.map((window) => (
              <tr key={window.id}>
                <td className="ellipsis" title={windowName(window, t)}>
                  {windowName(window, t)}
                </td>
                <td>
                  <QuotaBar window={window} nowMs={now()} />
                </td>
                <td>{dateAndTime(window.resetAtMs, zone, locale)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** The provider's answer; long, and masked. */
function Failure({ result, context }: PartProps) {
  const { t } = useText();
  const text = result.errorDetail ?? result.error ?? '';
  if (text === '' && !result.errorKind) return null;
  return (
    <section>
      <h2>{t('inspection.providerSaid')}</h2>
      {result.errorKind && <p className="mono small">{shown(result.errorKind)}</p>}
      {text !== '' && <pre className="box mono small">{shown(context.masker.text(text), 2_100)}</pre>}
    </section>
  );
}

function Foot({
  result,
  blocked,
  onCommand,
}: {
  readonly result: InspectionResult;
  readonly blocked: string | null;
  readonly onCommand: (command: ExecutableAction) => void;
}) {
  const { t } = useText();
  const command = result.action === 'reauth' ? 'delete' : result.action === 'keep' ? null : result.action;
  if (command === null) return null;
  return (
    <Stack gap="sm" className="drawer-foot">
      {result.action === 'reauth' && <p className="small ink-3">{t('inspection.reauthHint')}</p>}
      {blocked !== null && <p className="small ink-3">{blocked}</p>}
      <div className="row">
        {result.action === 'reauth' && (
          <Link to={SIGN_IN_PATH} search={signInAgain(result.authIndex ?? '', result.provider)} className="link">
            {t('accountActions.reauth')}
          </Link>
        )}
        <Button
          kind={command === 'delete' ? 'danger' : 'default'}
          disabled={blocked !== null}
          onClick={() => onCommand(command)}
        >
          {t(COMMAND_LABELS[command])}
        </Button>
      </div>
    </Stack>
  );
}
