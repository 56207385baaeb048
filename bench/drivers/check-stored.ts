import { checkInvariants } from '../../packages/server/src/events/invariants/invariants.ts';
import { openDatabase } from '../../packages/server/src/sqlite/open.ts';

/** Reads a whole database, whose manager is stopped: everything that must hold of it at any moment. */
const { path } = JSON.parse(process.argv[2] ?? '{}') as { path: string };
const db = openDatabase(path, { readonly: true });
const violations = checkInvariants(db).slice(0, 20);
db.close();
console.log(JSON.stringify({ violations }));
