import { installPackage } from './system-package.ts';

/** The tests of a loss of power make a file system of their own. Installs the distribution's package when its tool is missing. */
export function ensureFileSystemTools(): void {
  if (Bun.which('mkfs.ext4') !== null) return;
  console.error('Installing e2fsprogs for the tests of a loss of power …');
  installPackage('e2fsprogs');
  if (Bun.which('mkfs.ext4') !== null) return;
  console.error('The tests need mkfs.ext4: install the package "e2fsprogs".');
  process.exit(1);
}
