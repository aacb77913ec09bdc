import { type CellProps, Highlighted } from '#web/field-kinds/value-highlights.tsx'

/** The number of the record, as it is said: without signs between its digits. */
export function AutoNumberCell({ value }: CellProps<'auto-number'>) {
  return value === null ? null : <Highlighted text={String(value)} />
}
