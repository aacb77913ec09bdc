import { formatInstant } from '#web/shared/formatting/format-value.ts'
import type { CellProps } from '#web/field-kinds/value-highlights.tsx'

/** A moment in the reader's language and zone. */
export function DateTimeCell({ value }: CellProps<'date-time'>) {
  return value === null ? null : <time dateTime={value}>{formatInstant(value)}</time>
}
