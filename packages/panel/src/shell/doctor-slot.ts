/** What the doctor finds, for pages that have nothing to show: they do not know the doctor's own page. */
export { DoctorFindings as DoctorSlot } from '../features/doctor/doctor-findings.tsx';
