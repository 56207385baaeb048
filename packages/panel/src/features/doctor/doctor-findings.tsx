import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useText } from '../../platform/i18n/index.ts';
import { Status } from '../../ui/display/status.tsx';
import { FindingText } from './check-row.tsx';
import { problemsOf } from './doctor-checks.ts';
import { useDoctor } from './use-doctor.ts';

/** In place of missing rows: the doctor's findings in short, with a link to all of them. */
export function DoctorFindings() {
  const { t } = useText();
  const problems = problemsOf(useDoctor().groups);
  const link = (
    <Link to="/doctor" search={{}} className="link">
      {t(problems.length === 0 ? 'empty.findCause' : 'note.openDoctor')}
    </Link>
  );
  if (problems.length === 0) return link;
  return (
    <Box style={{ flexBasis: '100%' }}>
      <ul>
        {problems.map(({ id, finding }) => (
          <li key={id} className="row">
            <Status tone={finding.tone}>
              <FindingText finding={finding} />
            </Status>
          </li>
        ))}
      </ul>
      {link}
    </Box>
  );
}
