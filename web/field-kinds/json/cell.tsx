import { toSingleLine } from './single-line.ts'
import type { CellProps } from '#web/field-kinds/kind-props.ts'
import '../field-kinds.css'

/** The beginning of the value, as a program writes it. */
export function JsonCell({ value }: CellProps<'json'>) {
  return value === null ? null : <code className="cell-code">{toSingleLine(JSON.stringify(value))}</code>
}
