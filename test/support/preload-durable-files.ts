import { recordSyncs } from './durable-files.ts';

const { DURABLE_DIRECTORY = '', DURABLE_RECORD = '' } = process.env;
recordSyncs(DURABLE_DIRECTORY, DURABLE_RECORD);
