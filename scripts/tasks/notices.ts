import { writeNotices } from '../lib/notices.ts';

// Run by the builds: the license notices of everything inside the executable.
await writeNotices();
