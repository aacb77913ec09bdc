import { type CellProps, Highlighted } from '#web/field-kinds/value-highlights.tsx'

/** One line of text. */
export function TextCell({ value }: CellProps<'text'>) {
  return value === null ? null : <Highlighted text={value} />
}
