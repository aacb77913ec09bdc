import type { CellProps } from '#web/field-kinds/value-highlights.tsx'
import '../field-kinds.css'

/** More than a cell can ever show; the rest would only weigh on the page. */
const MAX_LENGTH = 300

/** Text with its line breaks and runs of space made single, cut where no cell reaches. */
const toSingleLine = (text: string): string =>
  text
    .slice(0, MAX_LENGTH * 2)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_LENGTH)

/** The beginning of the value, as a program writes it. */
export function JsonCell({ value }: CellProps<'json'>) {
  return value === null ? null : <code className="cell-code">{toSingleLine(JSON.stringify(value))}</code>
}
