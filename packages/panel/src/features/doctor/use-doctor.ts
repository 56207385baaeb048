import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useManaged, useServices } from '../../platform/api/services.ts';
import { useNow } from '../../platform/browser/clock.ts';
import { useEnablePublishing } from '../../platform/queries/publishing.ts';
import { useConfig, useGateway, useHost, useStatus } from '../../platform/queries/queries.ts';
import { type CheckGroup, runChecks } from './doctor-checks.ts';
import type { Probe } from './doctor-facts.ts';
import { addSample, movementOf, type Sample } from './movement.ts';

/** Movement needs two samples ten seconds apart; one between them shows what was just in progress. */
const SAMPLE_MS = 5_000;
const NO_SAMPLES: readonly Sample[] = [];

interface AnyQuery<T> {
  readonly data: T | undefined;
  readonly error: unknown;
}

/** A failure counts even with an older answer: the doctor is about now. */
function probeOf<T>({ data, error }: AnyQuery<T>): Probe<T> {
  if (error !== null) return { kind: 'failed', error };
  return data === undefined ? { kind: 'pending' } : { kind: 'known', value: data };
}

export interface Doctor {
  readonly groups: readonly CheckGroup[];
  readonly busy: boolean;
  readonly again: () => void;
  readonly enableStatistics: () => void;
  readonly enabling: boolean;
  /** Why the statistics could not be turned on; null = no failure. */
  readonly enableError: unknown;
}

export function useDoctor(): Doctor {
  const { manager, client } = useServices();
  const managed = useManaged();
  const health = useQuery({
    queryKey: ['health'],
    enabled: managed,
    queryFn: ({ signal }) => manager.health(signal),
    refetchInterval: 30_000,
  });
  const host = useHost();
  const status = useStatus(SAMPLE_MS);
  const config = useConfig();
  const gateway = useGateway();
  const [samples, setSamples] = useState(NO_SAMPLES);
  const { data, dataUpdatedAt: atMs } = status;
  useEffect(() => {
    if (data === undefined) return;
    const consumedAt = data.lastConsumedAt || data.collector.lastConsumedAt || null;
    const insertedAt = data.lastInsertedAt || data.collector.lastInsertedAt || null;
    setSamples((before) => addSample(before, { atMs, consumedAt, insertedAt }));
  }, [data, atMs]);
  const enable = useEnablePublishing();

  const info = host.data?.kind === 'manager' ? host.data.info : undefined;
  const nowMs = useNow() + client.skewMs();
  const groups = runChecks({
    managed,
    health: probeOf(health),
    info: probeOf({ data: info, error: host.error }),
    gateway: probeOf(gateway),
    config: probeOf(config),
    status: probeOf(status),
    movement: movementOf(samples),
    panelVersion: __PANEL_VERSION__,
    skewMs: client.skewMs(),
    nowMs,
  });
  return {
    groups,
    busy: [health, host, config, gateway].some((query) => query.isFetching),
    again: () => {
      setSamples(NO_SAMPLES);
      for (const query of [health, host, status, config, gateway]) if (query.isEnabled) void query.refetch();
    },
    enableStatistics: () => enable.mutate(),
    enabling: enable.isPending,
    enableError: enable.error,
  };
}
