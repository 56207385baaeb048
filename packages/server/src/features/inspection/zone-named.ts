import { createZone, type Zone } from '@manager/core/time/zones';

/** The zone, or UTC where the runtime does not know it: a stored or foreign name must not stop anything. */
export function zoneNamed(name: string): Zone {
  try {
    return createZone(name);
  } catch {
    return createZone('');
  }
}
