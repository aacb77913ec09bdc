import type { CellProps } from '#web/field-kinds/value-highlights.tsx'
import { SelectCell } from '#web/field-kinds/select/cell.tsx'

/** Where the record stands, as a chip. */
export function StateCell(props: CellProps<'state'>) {
  return <SelectCell {...props} />
}
