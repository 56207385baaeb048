import { installPackage } from './system-package.ts';

/** Power-loss tests make their own file system. Installs the distribution's package when its tool is missing. */
export function ensureFileSystemTools(): void {
  if (Bun.which('mkfs.ext4') !== null) return;
  console.error('Installing e2fsprogs for the tests of a loss of power …');
  installPackage('e2fsprogs');
  if (Bun.which('mkfs.ext4') !== null) return;
  console.error('The tests need mkfs.ext4: install the package "e2fsprogs".');
  process.exit(1);
}
