import { makeAccounts, type ProfileAlias } from '@manager/simulator';
import {
  besideSecondConsumer,
  type SecondConsumerRun,
} from '../../packages/server/src/features/collector/testing/second-consumer.ts';
import { atMost, declareMeasure, type FigureSpec, type Measured } from '../measure.ts';

const SPEED = 15;
const MINUTES = [3, 8, 30] as const;
const SHARES = [
  { name: 'all', share: 1 },
  { name: 'half', share: 0.5 },
  { name: 'a quarter', share: 0.25 },
] as const;
/** `auto` polls where the gateway has no subscriptions. */
const MODES: readonly { mode: 'http' | 'resp' | 'auto'; profile?: ProfileAlias; all: 'subscriber' | 'pops' }[] = [
  { mode: 'http', all: 'subscriber' },
  { mode: 'resp', all: 'subscriber' },
  { mode: 'auto', profile: 'v6.10.8', all: 'pops' },
];
const ALARM: FigureSpec = { unit: 's', bar: atMost(120) };
const DEVIATION: FigureSpec = { unit: '%', bar: atMost(10) };

const runs = MODES.flatMap((mode) =>
  SHARES.flatMap((taken) => MINUTES.map((minutes) => ({ ...mode, ...taken, minutes }))),
);
type Planned = (typeof runs)[number];
const titleOf = ({ mode, name, minutes }: Planned) => `${mode}, ${name}, ${minutes} minutes`;

export const secondConsumer = declareMeasure({
  name: 'second-consumer',
  title: 'A second consumer',
  how: `the collector from source beside the simulator at 2 requests/s, ${SPEED} times faster than real, all of a mode at once; another consumer takes events for some minutes. From its first one to the alarm, and by how much the number of the recorded gaps differs from what it took`,
  when: 'named',
  figures: Object.fromEntries(
    runs.flatMap((run): [string, FigureSpec][] => [
      [`${titleOf(run)}: alarm`, ALARM],
      [`${titleOf(run)}: deviation`, DEVIATION],
    ]),
  ),
  async run({ progress }) {
    const accounts = makeAccounts(12).filter(({ fileName }) => fileName !== '');
    const figures: Record<string, Measured> = {};
    const details: Record<string, SecondConsumerRun> = {};
    const measureOne = async (run: Planned) => {
      const title = titleOf(run);
      const { mode, share, minutes } = run;
      const found = await besideSecondConsumer({
        ...{ mode, share, minutes, accounts, rate: 2, minutesBefore: 3, minutesAfter: 10, speed: SPEED },
        ...(run.profile === undefined ? {} : { profile: run.profile }),
        by: share === 1 ? run.all : 'pops',
        seed: runs.indexOf(run) + 1,
      });
      details[title] = found;
      const lost = found.gaps.reduce((sum, gap) => sum + (gap.lost ?? 0), 0);
      figures[`${title}: alarm`] = (found.alarmAfterMs ?? minutes * 60_000) / 1000;
      figures[`${title}: deviation`] = {
        value: (100 * Math.abs(lost - found.taken)) / found.taken,
        note: `${lost} of ${found.taken}`,
      };
    };
    for (const { mode } of MODES) {
      progress(mode);
      await Promise.all(runs.filter((run) => run.mode === mode).map(measureOne));
    }
    return { figures, details };
  },
});
