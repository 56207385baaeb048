import { useMediaQuery } from '@mantine/hooks';

/** Whether the page has the width of a phone. */
export function usePhone(): boolean {
  return useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
}
