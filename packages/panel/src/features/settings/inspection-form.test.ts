import { describe, expect, test } from 'bun:test';
import { DEFAULT_INSPECTION_CONFIG } from '@manager/core/contract/constants';
import { inspectionToWire, mergeInspectionConfig } from '@manager/core/contract/inspection/config';
import {
  beginsDeleting,
  inspectionConfigOf,
  inspectionFormOf,
  inspectionProblem,
  readTimePoints,
  toInspectionRequest,
} from './inspection-form.ts';

const stored = inspectionToWire(DEFAULT_INSPECTION_CONFIG);
const saved = inspectionFormOf(stored);

/** What the server stores of a form. */
const storedOf = (form: typeof saved) =>
  mergeInspectionConfig(DEFAULT_INSPECTION_CONFIG, toInspectionRequest(form, saved, stored));

describe('the settings of the inspection', () => {
  test('that were not changed are stored unchanged', () => {
    expect(storedOf(saved)).toEqual(DEFAULT_INSPECTION_CONFIG);
  });

  test('reach the server as they were entered', () => {
    const form = {
      ...saved,
      enabled: true,
      mode: 'time_points' as const,
      timePoints: '18:30 6:5',
      timeZone: 'Asia/Tokyo',
      targets: ['xai', 'codex'] as const,
      sampleSize: 20,
      retries: 2,
      xaiInferenceEnabled: true,
      autoActionMode: 'disable' as const,
      autoRecoverEnabled: true,
    };
    expect(storedOf(form)).toMatchObject({
      enabled: true,
      schedule: { mode: 'time_points', timePoints: ['06:05', '18:30'], timeZone: 'Asia/Tokyo' },
      targetTypes: ['codex', 'xai'],
      sampleSize: 20,
      retries: 2,
      xaiInferenceEnabled: true,
      autoActionMode: 'disable',
      autoRecoverEnabled: true,
    });
  });

  test.each([[0.5], [1], [2], [90], [100]])('a threshold of %p percent is stored as one', (percent) => {
    expect(storedOf({ ...saved, usedPercentThreshold: percent }).usedPercentThreshold).toBe(percent);
  });

  test('keep what somebody else changed meanwhile', () => {
    const newer = { ...stored, workers: 9, xaiInferenceEnabled: true as const };
    const request = toInspectionRequest({ ...saved, retries: 3 }, saved, newer);
    expect(request).toMatchObject({ workers: 9, xaiInferenceEnabled: true, retries: 3 });
  });

  test('need a provider, and times of day that are some', () => {
    expect(inspectionProblem(saved)).toBeNull();
    expect(inspectionProblem({ ...saved, targets: [] })).toBe('inspectionSettings.needTarget');
    expect(inspectionProblem({ ...saved, mode: 'time_points' })).toBe('inspectionSettings.needTime');
    expect(inspectionProblem({ ...saved, mode: 'time_points', timePoints: '25:00' })).toBe(
      'inspectionSettings.wrongTime',
    );
    expect(inspectionProblem({ ...saved, mode: 'time_points', timePoints: '6:30，18:00' })).toBeNull();
  });

  test('ask once before they begin to delete', () => {
    const deleting = { ...saved, autoActionMode: 'delete' as const };
    expect(beginsDeleting(deleting, saved)).toBe(true);
    expect(beginsDeleting(deleting, deleting)).toBe(false);
    expect(beginsDeleting(saved, deleting)).toBe(false);
  });
});

test('times of day are sorted, without duplicates, and stop at an invalid one', () => {
  expect(readTimePoints('18:00, 6:00 18:00')).toEqual({ points: ['06:00', '18:00'], wrong: null });
  expect(readTimePoints('6:00, noon')).toEqual({ points: ['06:00'], wrong: 'noon' });
  expect(readTimePoints('')).toEqual({ points: [], wrong: null });
});

test('the schedule of a form is the one that would be saved', () => {
  expect(inspectionConfigOf({ ...saved, enabled: true, timePoints: '6:00', timeZone: 'UTC' })).toEqual({
    enabled: true,
    schedule: { mode: 'interval', intervalMinutes: 60, timePoints: ['06:00'], timeZone: 'UTC' },
  });
  expect(inspectionConfigOf(saved).enabled).toBeUndefined();
});
