import type { CellProps } from '../part-props.ts'
import { CellLink } from '../typed-text/cell-link.tsx'
import { mailtoHref } from '../typed-text/ways.ts'

/** An e-mail address, as the way there. */
export function EmailCell({ value }: CellProps<'email'>) {
  return value === null ? null : <CellLink href={mailtoHref(value)} text={value} />
}
