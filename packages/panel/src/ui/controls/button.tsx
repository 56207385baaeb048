import type { ButtonHTMLAttributes, Ref } from 'react';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'default' | 'primary' | 'quiet' | 'danger';
  readonly square?: boolean;
  readonly large?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** 28 px control. At most one primary per view; a square one needs an `aria-label`, which is also its title. */
export function Button({ kind = 'default', square = false, large = false, className, ...rest }: ButtonProps) {
  const classes = [
    'button',
    kind === 'default' ? '' : kind,
    square ? 'square' : '',
    large ? 'large' : '',
    className ?? '',
  ];
  return (
    <button
      type="button"
      title={square ? rest['aria-label'] : undefined}
      {...rest}
      className={classes.filter((name) => name !== '').join(' ')}
    />
  );
}
