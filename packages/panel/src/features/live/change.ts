import { formatShare, formatTenths } from '../../ui/format.ts';

/** `+16.9%`, `−2.0%`; null where there is nothing to compare with. */
export function changeText(now: number, before: number): string | null {
  if (before === 0) return now === 0 ? null : '+∞';
  const change = (now - before) / before;
  if (Math.abs(change) < 0.0005) return '±0%';
  const percent = Math.abs(change) >= 9.995 ? `${Math.round(Math.abs(change) * 100)}%` : share(Math.abs(change));
  return `${change > 0 ? '+' : '−'}${percent}`;
}

/** Also above 100%. */
function share(value: number): string {
  return value >= 1 ? `${formatTenths(value * 100)}%` : formatShare(value);
}

/** Difference of two shares in points: `+0.5`. */
export function pointsText(now: number, before: number): string {
  const points = (now - before) * 100;
  if (Math.abs(points) < 0.05) return `±${formatTenths(0)}`;
  return `${points > 0 ? '+' : '−'}${formatTenths(Math.abs(points))}`;
}

/** Which way a measure has become better; null = it has no good direction, or is the same. */
export function betterness(now: number, before: number, good: 'less' | 'more'): 'better' | 'worse' | null {
  if (Math.abs(now - before) < 0.0005) return null;
  return now > before === (good === 'more') ? 'better' : 'worse';
}
