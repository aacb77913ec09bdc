import { toSingleLine } from '../in-one-line.ts'
import type { CellProps } from '../part-props.ts'
import '../fields.css'

/** The beginning of the value, as a program writes it. */
export function JsonCell({ value }: CellProps<'json'>) {
  return value === null ? null : <code className="cell-code">{toSingleLine(JSON.stringify(value))}</code>
}
