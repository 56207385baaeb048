import { servePreparer } from '../events/ingest/preparer/serve.ts';

servePreparer();
