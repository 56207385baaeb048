import { createMasker, type Masker, PLAIN } from '../ui/mask.ts';
import { maskedStore } from './preferences.ts';
import { useStore } from './store.ts';

/** One masker for the whole tab, so that the same account looks the same on every page. */
const masker = createMasker();

export function useMasker(): Masker {
  return useStore(maskedStore) ? masker : PLAIN;
}

export function toggleMasking(): void {
  maskedStore.set(!maskedStore.get());
}
