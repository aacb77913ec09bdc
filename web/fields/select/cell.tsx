import type { CellProps } from '../part-props.ts'
import { Highlighted } from '../value-marks.tsx'
import { OptionChip } from './choice-chip.tsx'

/** The chosen option as a chip. */
export function SelectCell({ field, value }: CellProps<'select'> | CellProps<'state'>) {
  if (value === null) return null
  const choice = field.options.choices.find(({ name }) => name === value)
  return <OptionChip name={<Highlighted text={value} />} color={choice?.color ?? 'gray'} />
}
