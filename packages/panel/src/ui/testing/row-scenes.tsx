import { useState } from 'react';
import { Button } from '../controls/button.tsx';
import { Segmented } from '../controls/segmented.tsx';
import { Tabs, useTabIds } from '../controls/tabs.tsx';
import { Changed } from '../display/change-text.tsx';
import { StatRow } from '../display/stats.tsx';

// Scenes of rows with too little room.

const CHOICES = ['Cause', 'Error kind', 'Error code', 'Account', 'Model', 'Client key', 'Executor', 'Failures'].map(
  (label) => ({ value: label, label }),
);

/** Tabs and choices wider than a phone; a click adds an element beside the tabs, and more choices. */
export function RowsScene() {
  const ids = useTabIds();
  const [tab, setTab] = useState('Failures');
  const [part, setPart] = useState('Cause');
  const [beside, setBeside] = useState(false);
  return (
    <>
      <div className="panel-head monitoring-head">
        <Tabs label="Views" tabs={CHOICES} value={tab} onChange={setTab} ids={ids} />
        {beside && <span style={{ flex: 'none', width: 120 }}>Beside</span>}
      </div>
      <div role="tabpanel" id={ids.panel} aria-labelledby={ids.tab(tab)}>
        <Segmented label="Parts" options={beside ? CHOICES : CHOICES.slice(0, 3)} value={part} onChange={setPart} />
      </div>
      <Button onClick={() => setBeside(true)}>Less room</Button>
    </>
  );
}

const SUMS = ['1,599,983', '≥$25,962.12', '33.0B', '3.0%', '50.4%', '≥$16.226', '22.1 s'].map((value) => ({
  key: value,
  label: 'Sum',
  value: (
    <button type="button" className="stat-link">
      {value}
    </button>
  ),
  qualifier: <Changed change={{ kind: 'points', value: -0.129 }} verdict="better" text="1,600,000 before" />,
}));

/** Large numbers with long changes. */
export const StatsScene = () => <StatRow label="Sums" stats={SUMS} />;
