import type { CellProps } from '../part-props.ts'
import { Marked } from '../value-marks.tsx'
import { ChoiceChip } from './choice-chip.tsx'

/** The chosen option as a chip. */
export function SelectCell({ field, value }: CellProps<'select'> | CellProps<'state'>) {
  if (value === null) return null
  const choice = field.options.choices.find(({ name }) => name === value)
  return <ChoiceChip name={<Marked text={value} />} color={choice?.color ?? 'gray'} />
}
