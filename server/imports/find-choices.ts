import { parseList } from '#domain/shared/list-text.ts'
import { ownText } from '#domain/shared/own-text.ts'
import type { ChoicesTask, CsvAnswers } from './csv-tasks.ts'
import { readCsv } from './read-csv.ts'

/** Most choices of a select field, as the API takes them. */
const MOST_CHOICES = 1000
/** Longest name of a choice, as the API takes it. */
const LONGEST_CHOICE = 120

/** The different values of each column in the order of their first row, or null where they cannot be choices. */
export async function findChoices({ file, form, columns, listColumns }: ChoicesTask): Promise<CsvAnswers['choices']> {
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
  if (text !== '' && values?.has(text) === false) values.add(ownText(text))
  return values && (values.size > MOST_CHOICES || text.length > LONGEST_CHOICE) ? null : values
}
