import type { CellProps } from '../part-props.ts'
import { CellLink } from '../typed-text/cell-link.tsx'
import { telHref } from '../typed-text/ways.ts'

/** A telephone number, as the way there. */
export function PhoneCell({ value }: CellProps<'phone'>) {
  return value === null ? null : <CellLink href={telHref(value)} text={value} />
}
