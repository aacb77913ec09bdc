import type { RowFault } from './row-to-values.ts'

/** Row 1 is the first row after the header. Errors that affect the whole record have no text. */
export type RowError = Partial<RowFault> & Pick<RowFault, 'column' | 'message'> & { readonly row: number }

/** Rows with the same kind of error in the same column. */
export type RowIssue = Omit<RowFault, 'text'> & {
  readonly rowCount: number
  readonly firstRow: number
  /** Invalid texts, most frequent first; truncated if there are too many. */
  readonly texts: readonly { readonly text: string; readonly count: number }[]
  readonly textCount: number
}

export type IssueCollector = {
  readonly add: (errors: readonly RowError[]) => void
  /** Number of rows with at least one error. */
  readonly rowCount: () => number
  /** Most frequent first. */
  readonly issues: () => readonly RowIssue[]
}

/** Limit per error group; bounds memory use and response size. */
const MAX_TEXTS = 1_000
const MAX_TEXT_LENGTH = 200

type Collected = Pick<RowIssue, 'at' | 'column' | 'code' | 'message' | 'firstRow'> & {
  rowCount: number
  lastRow: number
  readonly counts: Map<string, number>
}

/** Groups errors by cause; all errors in a row must be added in one call. */
export function createIssueCollector(): IssueCollector {
  const causes = new Map<string, Collected>()
  const rows = new Set<number>()
  const add = (error: RowError): void => {
    rows.add(error.row)
    const { at = null, column, code = 'invalid', message, row, text = '' } = error
    // Validation rules have a message instead of invalid texts.
    const key = `${at ?? column} ${code} ${text === '' ? message : ''}`
    const cause = causes.get(key) ?? {
      at,
      column,
      code,
      message,
      firstRow: row,
      rowCount: 0,
      lastRow: 0,
      counts: new Map(),
    }
    causes.set(key, cause)
    if (cause.lastRow !== row) cause.rowCount += 1
    cause.lastRow = row
    const said = text.trim().slice(0, MAX_TEXT_LENGTH)
    if (cause.counts.has(said) || cause.counts.size < MAX_TEXTS)
      cause.counts.set(said, (cause.counts.get(said) ?? 0) + 1)
  }
  return {
    add: (errors) => {
      for (const error of errors) add(error)
    },
    rowCount: () => rows.size,
    issues: () => [...causes.values()].map(issueOf).toSorted((one, other) => other.rowCount - one.rowCount),
  }
}

function issueOf({ counts, at, column, code, message, firstRow, rowCount }: Collected): RowIssue {
  const texts = [...counts].filter(([text]) => text !== '').map(([text, count]) => ({ text, count }))
  return {
    at,
    column,
    code,
    message,
    firstRow,
    rowCount,
    texts: texts.toSorted((one, other) => other.count - one.count),
    textCount: texts.length,
  }
}
