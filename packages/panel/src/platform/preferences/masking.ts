import { createMasker, type Masker, PLAIN } from '../format/mask.ts';
import { useStore } from '../store.ts';
import { maskedStore } from './preferences.ts';

/** One masker for the whole tab, so that the same account looks the same on every page. */
const masker = createMasker();

export function useMasker(): Masker {
  return useStore(maskedStore) ? masker : PLAIN;
}

export function toggleMasking(): void {
  maskedStore.set(!maskedStore.get());
}
