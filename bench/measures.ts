import type { Measure } from './measure.ts';
import { accountList } from './measures/account-list.ts';
import { busy } from './measures/busy.ts';
import { disk } from './measures/disk.ts';
import { idle } from './measures/idle.ts';
import { ingest } from './measures/ingest.ts';
import { largeGateway } from './measures/large-gateway.ts';
import { panel } from './measures/panel.ts';
import { panelFile } from './measures/panel-file.ts';
import { proxy } from './measures/proxy.ts';
import { coldQueries, largeQueries, queries } from './measures/queries.ts';
import { secondConsumer } from './measures/second-consumer.ts';
import { small } from './measures/small.ts';
import { start } from './measures/start.ts';
import { exporting, importing } from './measures/transfer.ts';
import { transports } from './measures/transports.ts';

/** In the order of running and display. */
export const MEASURES: readonly Measure[] = [
  ...[ingest, transports, queries, coldQueries, largeQueries, busy, exporting, importing],
  ...[disk, idle, start, proxy, panelFile, panel, accountList, largeGateway, secondConsumer, small],
];
