import { createZone, isZoneName, type Zone } from './zones.ts';

/** The zone, or UTC when the runtime does not know it: an unknown name must not block anything. */
export function zoneNamed(name: string): Zone {
  return createZone(isZoneName(name) ? name : '');
}
