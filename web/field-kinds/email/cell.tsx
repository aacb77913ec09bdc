import type { CellProps } from '#web/field-kinds/value-highlights.tsx'
import { CellLink } from '#web/field-kinds/typed-text/link-cell.tsx'
import { mailtoHref } from '#web/field-kinds/typed-text/link-hrefs.ts'

/** An e-mail address, as the way there. */
export function EmailCell({ value }: CellProps<'email'>) {
  return value === null ? null : <CellLink href={mailtoHref(value)} text={value} />
}
