import { classWithoutLength, FIVE_HOUR_SECONDS, type WindowClass, windowClass } from '../../contract/quotas/window.ts';
import type { CodexRateLimit, CodexWindow } from './codex-usage.ts';

/** The windows of one rate limit by class; each class holds one window at most. */
export interface ClassifiedWindows {
  readonly classes: ReadonlyMap<WindowClass, CodexWindow>;
  /** The windows without a class, the primary one first. */
  readonly others: readonly CodexWindow[];
}

const CLASS_ORDER: readonly WindowClass[] = ['five-hour', 'weekly', 'monthly'];

/**
 * Classifies the windows of a rate limit by length. One without a length takes the class of its slot, unless a window
 * with a length has that class.
 */
export function classifyCodexWindows(limit: CodexRateLimit, planType: string): ClassifiedWindows {
  const found = new Map<WindowClass, CodexWindow>();
  const take = (name: WindowClass | null, window: CodexWindow) => {
    if (name !== null && !found.has(name)) found.set(name, window);
  };
  for (const window of limit.windows) take(windowClass(window.lengthSeconds), window);
  for (const window of limit.windows) {
    if (window.lengthSeconds === null) take(classWithoutLength(window.slot, planType), window);
  }
  const taken = new Set(found.values());
  return {
    classes: new Map([...found].sort(([left], [right]) => CLASS_ORDER.indexOf(left) - CLASS_ORDER.indexOf(right))),
    others: limit.windows.filter((window) => !taken.has(window)),
  };
}

/** The window that decides about the whole account: an exhausted shorter one resets within hours. */
export function longWindow({ classes, others }: ClassifiedWindows): CodexWindow | null {
  const generic = others.find(({ lengthSeconds }) => lengthSeconds !== null && lengthSeconds > FIVE_HOUR_SECONDS);
  return classes.get('weekly') ?? classes.get('monthly') ?? generic ?? null;
}
