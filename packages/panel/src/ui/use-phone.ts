import { useMediaQuery } from '@mantine/hooks';

/** Whether the page is as narrow as a phone. */
export function usePhone(): boolean {
  return useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
}
