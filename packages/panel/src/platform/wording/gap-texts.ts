import type { GapKind } from '@manager/core/contract/system/status';
import type { TextKey } from '../i18n/index.ts';

const TEXTS = {
  unclean_stop: 'gap.uncleanStop',
  away: 'gap.away',
  dropped: 'gap.dropped',
  answer_lost: 'gap.answerLost',
  publishing_off: 'gap.publishingOff',
  starved: 'gap.starved',
} as const satisfies Record<GapKind, TextKey>;

/** What happened in a gap of a kind, one sentence; newer servers may know more kinds. */
export function gapText(kind: string): TextKey {
  return kind in TEXTS ? TEXTS[kind as keyof typeof TEXTS] : 'gap.other';
}

const FIXES = {
  unclean_stop: 'gapFix.uncleanStop',
  away: 'gapFix.away',
  dropped: 'gapFix.dropped',
  answer_lost: 'gapFix.answerLost',
  publishing_off: 'gapFix.publishingOff',
  starved: 'gapFix.starved',
} as const satisfies Record<GapKind, TextKey>;

/** What to do so that a gap of a kind ends or does not recur. */
export function gapFix(kind: string): TextKey {
  return kind in FIXES ? FIXES[kind as keyof typeof FIXES] : 'gapFix.other';
}
