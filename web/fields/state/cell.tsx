import type { CellProps } from '../part-props.ts'
import { SelectCell } from '../select/cell.tsx'

/** Where the record stands, as a chip. */
export function StateCell(props: CellProps<'state'>) {
  return <SelectCell {...props} />
}
