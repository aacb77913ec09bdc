import { formatDay } from '#web/shared/formatting/format-value.ts'
import type { CellProps } from '#web/field-kinds/value-highlights.tsx'

/** A day in the reader's language. */
export function DateCell({ value }: CellProps<'date'>) {
  return value === null ? null : <time dateTime={value}>{formatDay(value)}</time>
}
