import { formatTenths } from '../../ui/format.ts';

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
