import { serveOperations } from '../../../../sqlite/worker/serve.ts';
import { IMPORT_OPERATIONS, type ImportContext } from './operations.ts';

serveOperations<null, ImportContext>(() => {
  const context: ImportContext = { now: Date.now, payload: null };
  return { operations: IMPORT_OPERATIONS, context, close: () => context.payload?.input.close() };
});
