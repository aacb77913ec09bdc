import type { CellProps } from '#web/field-kinds/value-highlights.tsx'
import { CellLink } from '#web/field-kinds/typed-text/link-cell.tsx'
import { telHref } from '#web/field-kinds/typed-text/link-hrefs.ts'

/** A telephone number, as the way there. */
export function PhoneCell({ value }: CellProps<'phone'>) {
  return value === null ? null : <CellLink href={telHref(value)} text={value} />
}
