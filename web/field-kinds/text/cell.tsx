import type { CellProps } from '#web/field-kinds/kind-props.ts'
import { Highlighted } from '#web/field-kinds/value-highlights.tsx'

/** One line of text. */
export function TextCell({ value }: CellProps<'text'>) {
  return value === null ? null : <Highlighted text={value} />
}
