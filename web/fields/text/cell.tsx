import type { CellProps } from '../part-props.ts'

/** One line of text. */
export function TextCell({ value }: CellProps<'text'>) {
  return value
}
