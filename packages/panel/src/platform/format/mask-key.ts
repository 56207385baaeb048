export { maskKey } from '@manager/core/masking/mask-key';
