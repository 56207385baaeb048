/** The rules are shared with the manager, which masks files that it exports. */
export {
  createMasker,
  hashPrefix,
  type Masker,
  maskLog,
  maskMiddle,
  maskText,
  type NamesToMask,
  PLAIN,
} from '@manager/core/masking/mask';
