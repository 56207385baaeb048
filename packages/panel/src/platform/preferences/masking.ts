import { createMasker, type Masker, type NamesToMask, PLAIN } from '../format/mask.ts';
import { createStore, useStore } from '../store.ts';
import { maskedStore } from './preferences.ts';

const strangers = new Map<string, Set<string>>();
let order: readonly NamesToMask[] = [];
let renewing = false;

const maskerOf = () => createMasker({ order, strangers, onCollision: renewSoon });

/** One masker for the whole tab, so that the same account looks the same on every page. */
const maskerStore = createStore<Masker>(maskerOf());

/** Texts that were already drawn get their suffix too; not while others are being drawn. */
function renewSoon(): void {
  if (renewing) return;
  renewing = true;
  queueMicrotask(() => {
    renewing = false;
    maskerStore.set(maskerOf());
  });
}

/** Numbers equal masks in the order of these accounts. */
export function numberMasks(accounts: readonly NamesToMask[]): void {
  if (JSON.stringify(accounts) === JSON.stringify(order)) return;
  order = accounts;
  maskerStore.set(maskerOf());
}

/** For masks that are made elsewhere, in a file of the manager. */
export const maskOrder = (): readonly NamesToMask[] => order;

export function useMasker(): Masker {
  const masker = useStore(maskerStore);
  return useStore(maskedStore) ? masker : PLAIN;
}

export function toggleMasking(): void {
  maskedStore.set(!maskedStore.get());
}
