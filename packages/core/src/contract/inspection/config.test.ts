import { describe, expect, test } from 'bun:test';
import vectors from '../../accounts/fixtures/inspection-vectors.json';
import { DEFAULT_INSPECTION_CONFIG } from '../constants.ts';
import { AppError } from '../errors.ts';
import {
  type InspectionConfig,
  inspectionRequestSchema,
  inspectionResponseSchema,
  inspectionToWire,
  mergeInspectionConfig,
  readInspectionConfig,
} from './config.ts';

const merge = (previous: InspectionConfig, body: unknown) =>
  mergeInspectionConfig(previous, inspectionRequestSchema.parse(body));

/** An object that holds `value` at the dotted path. */
function at(path: string, value: unknown): Record<string, unknown> {
  const [head = '', ...rest] = path.split('.');
  return { [head]: rest.length === 0 ? value : at(rest.join('.'), value) };
}

function valueAt(path: string, object: unknown): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], object);
}

function withPrevious(path: string, value: unknown): InspectionConfig {
  const [head = '', tail] = path.split('.');
  const base = DEFAULT_INSPECTION_CONFIG;
  if (tail === undefined) return { ...base, [head]: value };
  return { ...base, schedule: { ...base.schedule, [tail]: value } };
}

describe('vectors', () => {
  test('exist', () => expect(vectors.config.length).toBeGreaterThan(0));

  for (const vector of vectors.config) {
    test(vector.name, () => {
      const run = () => merge(withPrevious(vector.field, vector.previous), at(vector.field, vector.input));
      if ('expectError' in vector) expect(run).toThrow(AppError);
      else expect(valueAt(vector.field, run())).toEqual(vector.expect);
    });
  }
});

describe('merge', () => {
  const previous: InspectionConfig = {
    ...DEFAULT_INSPECTION_CONFIG,
    enabled: true,
    workers: 8,
    deleteWorkers: 3,
    retries: 2,
    sampleSize: 5,
    xaiInferenceEnabled: true,
    autoRecoverEnabled: true,
    autoActionMode: 'disable',
    targetTypes: ['codex', 'xai'],
    schedule: { mode: 'interval', intervalMinutes: 30, timePoints: ['01:00'], timeZone: 'Asia/Tokyo' },
  };
  const cases: [string, unknown, Partial<InspectionConfig>][] = [
    [
      'nothing sent keeps, except what answers leave out',
      {},
      { ...previous, retries: 0, sampleSize: 0, xaiInferenceEnabled: false, autoRecoverEnabled: false },
    ],
    [
      'null equals absent',
      { workers: null, userAgent: null, schedule: null },
      { workers: 8, schedule: previous.schedule },
    ],
    ['enabled false is a value', { enabled: false }, { enabled: false }],
    ['workers carry deleteWorkers', { workers: 6 }, { workers: 6, deleteWorkers: 6 }],
    ['deleteWorkers of its own', { workers: 6, deleteWorkers: 2 }, { deleteWorkers: 2 }],
    ['deleteWorkers 0 without workers keeps', { deleteWorkers: 0 }, { deleteWorkers: 3 }],
    [
      'blank texts keep',
      { userAgent: ' ', xaiInferenceModel: '' },
      { userAgent: previous.userAgent, xaiInferenceModel: 'grok-4.5' },
    ],
    ['timeout below 1 keeps', { timeout: 0 }, { timeout: 15_000 }],
    ['a small fraction is exact', { usedPercentThreshold: 0.07 }, { usedPercentThreshold: 7 }],
    ['legacy target', { targetType: 'XAI' }, { targetTypes: ['xai'] }],
    [
      'legacy target beside the list is not read',
      { targetType: 'nonsense', targetTypes: ['codex'] },
      { targetTypes: ['codex'] },
    ],
    [
      'points without mode mean points',
      { schedule: { timePoints: ['7:00'] } },
      { schedule: { ...previous.schedule, mode: 'time_points', timePoints: ['07:00'] } },
    ],
    [
      'minutes without mode mean interval',
      { schedule: { intervalMinutes: 15 } },
      { schedule: { ...previous.schedule, intervalMinutes: 15 } },
    ],
    [
      'empty points keep',
      { schedule: { mode: 'time_points', timePoints: ['x'] } },
      { schedule: { ...previous.schedule, mode: 'time_points' } },
    ],
    ['unknown mode keeps', { schedule: { mode: 'cron' } }, { schedule: previous.schedule }],
    [
      'a blank zone is the zone of the server',
      { schedule: { timeZone: '' } },
      { schedule: { ...previous.schedule, timeZone: '' } },
    ],
  ];
  for (const [name, body, expected] of cases) {
    test(name, () => expect(merge(previous, body)).toMatchObject(expected));
  }

  test('time points without a point fall back to the interval', () => {
    expect(merge(DEFAULT_INSPECTION_CONFIG, { schedule: { mode: 'time_points' } }).schedule.mode).toBe('interval');
  });

  const refused: [unknown, string][] = [
    [{ targetType: 'claude' }, 'inspection_targets_invalid'],
    [{ schedule: { timeZone: 'Mars/Base' } }, 'invalid_time_zone'],
    [{ schedule: { timeZone: '+02:00' } }, 'invalid_time_zone'],
  ];
  for (const [body, code] of refused) {
    test(`refused: ${JSON.stringify(body)}`, () => {
      expect(() => merge(previous, body)).toThrow(expect.objectContaining({ code, status: 400 }));
    });
  }

  test('numbers sent as text are refused', () => {
    expect(inspectionRequestSchema.safeParse({ workers: '4' }).success).toBe(false);
  });
});

describe('stored form', () => {
  test('survives a round trip', () => {
    const config = merge(DEFAULT_INSPECTION_CONFIG, {
      enabled: true,
      retries: 1,
      sampleSize: 3,
      targetTypes: ['xai'],
      autoRecoverEnabled: true,
      xaiInferenceEnabled: true,
      schedule: { mode: 'time_points', timePoints: ['12:30'], timeZone: 'Europe/Berlin' },
    });
    const wire = inspectionResponseSchema.parse(inspectionToWire(config));
    expect(wire.targetType).toBe('xai');
    expect(readInspectionConfig(JSON.parse(JSON.stringify(wire)))).toEqual(config);
  });

  test('leaves out what is empty', () => {
    const wire = inspectionToWire(DEFAULT_INSPECTION_CONFIG);
    expect(Object.keys(wire)).not.toContain('retries');
    expect(Object.keys(wire)).not.toContain('enabled');
    expect(wire.schedule).toEqual({ mode: 'interval', intervalMinutes: 60 });
  });

  test('unreadable values become defaults', () => {
    for (const stored of [undefined, null, 'x', { workers: '4' }, {}]) {
      expect(readInspectionConfig(stored)).toEqual(DEFAULT_INSPECTION_CONFIG);
    }
    expect(
      readInspectionConfig({ targetTypes: ['claude'], workers: 2, schedule: { timeZone: 'X/Y', intervalMinutes: 5 } }),
    ).toMatchObject({
      targetTypes: ['codex'],
      workers: 2,
      schedule: { timeZone: '', intervalMinutes: 5 },
    });
  });
});
