import { DoctorFindings } from '../features/doctor/doctor-findings.tsx';
import { TransferChip } from '../features/transfer/transfer-chip.tsx';
import type { ShellParts } from '../ui/page/shell-parts.ts';
import { Banners } from './banners/banners.tsx';
import { startPages, startPath } from './navigation.ts';
import { Sidebar } from './sidebar.tsx';

export const SHELL_PARTS: ShellParts = {
  Sidebar,
  Banners,
  HeaderNote: TransferChip,
  DoctorFindings,
  startPages,
  startPath,
};
