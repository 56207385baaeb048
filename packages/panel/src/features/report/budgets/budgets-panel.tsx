import type { BudgetState } from '@manager/core/contract/budgets';
import { useState } from 'react';
import { fromQuery } from '../../../platform/api/data-source.ts';
import { formatShare, knownCost, NONE } from '../../../platform/format/format.ts';
import { datedDay } from '../../../platform/format/time.ts';
import { useText } from '../../../platform/i18n/index.ts';
import { useBudgets } from '../../../platform/queries/budgets.ts';
import { useKeyNames } from '../../../platform/queries/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Block } from '../../../ui/feedback/block.tsx';
import { SourceAge, SourceView } from '../../../ui/feedback/source-view.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { atLeast, costText } from '../report-columns.tsx';
import { BudgetDialog } from './budget-dialog.tsx';
import { type BudgetChoices, budgetName } from './budget-names.ts';

interface BudgetsPanelProps {
  readonly choices: BudgetChoices;
  /** Of new budgets. */
  readonly zone: string;
}

/** What is used of each budget in the running month, whatever period the report shows. */
export function BudgetsPanel({ choices, zone }: BudgetsPanelProps) {
  const { t } = useText();
  const source = fromQuery(useBudgets());
  /** null = closed; 'new' = a budget is added. */
  const [edited, setEdited] = useState<BudgetState | 'new' | null>(null);
  return (
    <section
      className="panel"
      aria-label={t('budget.title')}
      aria-busy={source.busy}
      // Nothing for paper.
      data-empty={source.data?.budgets.length === 0 ? '' : undefined}
    >
      <div className="panel-head">
        <h2>{t('budget.title')}</h2>
        <span className="tiny ink-3">{t('budget.scope')}</span>
        <SourceAge source={source} />
        <span className="spacer" />
        <Button kind="quiet" disabled={source.data === undefined} onClick={() => setEdited('new')}>
          <Icon name="plus" />
          {t('budget.add')}
        </Button>
      </div>
      <SourceView
        source={source}
        loading={<Block height={28} />}
        errorTitle={t('budget.loadFailed')}
        unsupported={{ title: t('budget.old'), text: t('analytics.oldText') }}
      >
        {({ budgets }) => (
          <ul className="budgets">
            {budgets.map((budget) => (
              <BudgetRow key={`${budget.scope} ${budget.name}`} budget={budget} onEdit={() => setEdited(budget)} />
            ))}
            {budgets.length === 0 && <li className="ink-3">{t('budget.none')}</li>}
          </ul>
        )}
      </SourceView>
      <BudgetDialog edited={edited} choices={choices} zone={zone} onClose={() => setEdited(null)} />
    </section>
  );
}

function BudgetRow({ budget, onEdit }: { readonly budget: BudgetState; readonly onEdit: () => void }) {
  const { t, locale } = useText();
  const name = budgetName(budget, useKeyNames(), t);
  const { usd, usedUsd, unpricedCalls, forecastUsd, reachedMs, passed, timeZone } = budget;
  const used = knownCost(usedUsd, unpricedCalls);
  const share = used === null ? null : used / usd;
  const day = reachedMs === null ? '' : datedDay(reachedMs, timeZone, locale);
  const outlook = passed
    ? t('budget.passed', { day })
    : day === ''
      ? t(forecastUsd === null ? 'budget.noForecast' : 'budget.lasts')
      : t('budget.runsOut', { day });
  return (
    <li>
      <span className="ellipsis" title={name}>
        {name}
      </span>
      <span
        className="bar"
        role="img"
        aria-label={t('budget.usedShare', { share: formatShare(share) })}
        data-state={used === null ? 'unknown' : passed ? 'spent' : day === '' ? undefined : 'low'}
      >
        <i style={{ width: `${Math.min(1, share ?? 0) * 100}%` }} />
        {forecastUsd !== null && <u style={{ left: `${Math.min(1, forecastUsd / usd) * 100}%` }} />}
      </span>
      <span className="right">
        {t('budget.used', { used: used === null ? NONE : atLeast(used, unpricedCalls), amount: costText(usd) })}
      </span>
      <span className="right">
        {forecastUsd === null ? NONE : t('budget.forecast', { cost: atLeast(forecastUsd, unpricedCalls) })}
      </span>
      <span className={passed ? 'tone-bad' : day === '' ? 'ink-3' : 'tone-warn'}>{outlook}</span>
      <Button kind="quiet" aria-label={t('budget.editOf', { name })} onClick={onEdit}>
        {t('budget.edit')}
      </Button>
    </li>
  );
}
