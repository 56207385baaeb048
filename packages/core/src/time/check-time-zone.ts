import { AppError } from '../contract/errors.ts';
import { isZoneName } from './zones.ts';

/**
 * @param name of a request; '' = UTC
 * @throws AppError `invalid_time_zone` (400) for a name that this runtime does not know, and for offsets such as `+02:00`
 */
export function checkTimeZone(name: string): void {
  if (!isZoneName(name)) throw new AppError('invalid_time_zone', { message: `unknown time zone: ${name}` });
}
