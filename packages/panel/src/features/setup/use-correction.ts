import { type RefObject, useEffect, useRef, useState } from 'react';

interface Correction {
  readonly formRef: RefObject<HTMLFormElement | null>;
  /** Something in the shown step was refused. */
  readonly askCorrection: () => void;
}

/** After a refusal the field to correct, or the first one of the step, has the focus and is selected: what is typed replaces it. */
export function useCorrection(): Correction {
  const formRef = useRef<HTMLFormElement>(null);
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals === 0) return;
    const fields = [...(formRef.current?.querySelectorAll<HTMLInputElement>('input:not([type="checkbox"])') ?? [])];
    const field = fields.find(({ ariaInvalid }) => ariaInvalid === 'true') ?? fields[0];
    field?.focus();
    field?.select();
  }, [refusals]);
  return { formRef, askCorrection: () => setRefusals((count) => count + 1) };
}
