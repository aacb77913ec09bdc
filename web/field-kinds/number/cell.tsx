import { formatNumber } from '#web/shared/formatting/format-value.ts'
import type { CellProps } from '#web/field-kinds/value-highlights.tsx'

/** A number in the reader's language; its column stands at the end, in tabular figures. */
export function NumberCell({ value }: CellProps<'number'>) {
  return value === null ? null : formatNumber(value)
}
