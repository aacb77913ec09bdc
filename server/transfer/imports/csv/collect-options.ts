import { parseList } from '#domain/shared/list-text.ts'
import { detachString } from '#domain/shared/detach-string.ts'
import type { OptionsTask, CsvResults } from './csv-tasks.ts'
import { readCsv } from './read-csv.ts'

/** Most choices of a select field, as the API takes them. */
const MAX_OPTIONS = 1000
/** Longest name of a choice, as the API takes it. */
const MAX_OPTION_LENGTH = 120

/** The different values of each column in the order of their first row, or null where they cannot be choices. */
export async function collectOptions({
  file,
  form,
  columns,
  listColumns,
}: OptionsTask): Promise<CsvResults['choices']> {
  const found: (Set<string> | null)[] = columns.map(() => new Set())
  let isHeader = form.hasHeader
  for await (const { rows } of readCsv(file, form)) {
    for (const row of isHeader ? rows.slice(1) : rows) {
      for (const [at, column] of columns.entries()) {
        const cell = row[column] ?? ''
        const names = listColumns.includes(column) ? parseList(cell) : [cell]
        found[at] = names.reduce(withValue, found[at] ?? null)
      }
    }
    isHeader = false
  }
  return found.map((values) => values && [...values])
}

function withValue(values: Set<string> | null, cell: string): Set<string> | null {
  const text = cell.trim()
  if (text !== '' && values?.has(text) === false) values.add(detachString(text))
  return values && (values.size > MAX_OPTIONS || text.length > MAX_OPTION_LENGTH) ? null : values
}
