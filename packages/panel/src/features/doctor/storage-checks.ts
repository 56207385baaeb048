import { type DoctorFacts, type Finding, judge, link } from './doctor-facts.ts';

const SYSTEM = link('/system', 'note.openSystem');

export function checkMigration({ status }: DoctorFacts): Finding {
  return judge(status, ({ dataMigration }) => {
    const counts = { done: dataMigration.lastEventId, all: dataMigration.targetEventId };
    if (dataMigration.status === 'completed') return { tone: 'ok', text: 'doctor.migrated' };
    if (dataMigration.status === 'failed')
      return { tone: 'bad', text: 'doctor.migrationFailed', fix: 'doctor.migrationFix' };
    if (dataMigration.targetEventId === 0) return { tone: 'wait', text: 'doctor.migrationStarts' };
    return { tone: 'wait', text: 'doctor.migrating', counts };
  });
}

export function checkMaintenance({ status }: DoctorFacts): Finding {
  return judge(status, ({ databaseMaintenance: { required, deferredIndexes, offlineJobs } }) =>
    required
      ? {
          tone: 'warn',
          text: 'doctor.maintenanceNeeded',
          fix: 'doctor.maintenanceFix',
          counts: { indexes: deferredIndexes, jobs: offlineJobs },
          action: link('/usage-maintenance', 'note.openArchives'),
        }
      : { tone: 'ok', text: 'doctor.maintenanceNone' },
  );
}

/** Problems of the database itself. */
export function checkDatabase({ status }: DoctorFacts): Finding {
  return judge(status, ({ database }) => {
    if (database === undefined) {
      return { tone: 'warn', text: 'doctor.filesUnknown', fix: 'doctor.filesFix', action: SYSTEM };
    }
    const { sealing, checkpoint } = database;
    const detail = sealing?.error ?? checkpoint.error;
    if (detail === undefined) return { tone: 'ok', text: 'doctor.databaseGood' };
    return { tone: 'warn', text: 'doctor.databaseBusy', detail, action: SYSTEM };
  });
}

/** Dead letters, and events waiting outside of the database. */
export function checkRecords({ status }: DoctorFacts): Finding {
  return judge(status, ({ deadLetters, implausibleTimestamps }) => {
    const counts = { dead: deadLetters, implausible: implausibleTimestamps };
    if (deadLetters === 0 && implausibleTimestamps === 0) return { tone: 'ok', text: 'doctor.recordsGood' };
    if (deadLetters === 0) {
      return { tone: 'warn', text: 'doctor.recordsImplausible', fix: 'doctor.implausibleFix', counts, action: SYSTEM };
    }
    return { tone: 'warn', text: 'doctor.recordsDead', fix: 'doctor.deadFix', counts, action: SYSTEM };
  });
}
