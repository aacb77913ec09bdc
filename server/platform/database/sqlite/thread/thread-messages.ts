import type { BoundCell, CellValue, PackedBatch } from '#server/platform/database/database.ts'

export type ThreadSettings = {
  readonly role: 'writer' | 'reader'
  readonly file: string
  readonly waitsForOthers?: boolean
  readonly lockFile?: string | undefined
}

export type ThreadRequest =
  | {
      readonly type: 'run'
      readonly statement: string
      readonly parameters: readonly unknown[]
      readonly opensJob: boolean
      /** Whether the result isn't awaited; a failure then fails the whole job. */
      readonly isSent?: boolean
      /** The job fails if the first cell of the result is another value. */
      readonly expected?: CellValue | undefined
    }
  | {
      readonly type: 'run-for-each'
      readonly statement: string
      readonly rows: readonly (readonly BoundCell[])[]
      readonly opensJob: boolean
    }
  | { readonly type: 'run-packed'; readonly batch: PackedBatch; readonly opensJob: boolean }
  | { readonly type: 'commit' }
  | { readonly type: 'close' }

export type ThreadNotice =
  | { readonly type: 'end-job'; readonly isKept: boolean }
  | { readonly type: 'forget-statements' }
  /** The next commit doesn't wait for the disk. */
  | { readonly type: 'relax-commit' }

/** Messages are posted in batches, because each post takes as long as a simple statement. */
export type Message = (ThreadRequest & { readonly id: number }) | ThreadNotice

/** Rows as arrays in the order of `columns`, the cheapest form to transfer between threads. */
export type ThreadResult = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly CellValue[])[]
  readonly affected?: number | undefined
  /** Time spent in SQLite, in ms. */
  readonly tookMs: number
}

export type ThreadFault = { readonly code: string; readonly message: string }

export type ThreadReply =
  | { readonly id: number; readonly answer: ThreadResult }
  | { readonly id: number; readonly fault: ThreadFault }

export function rowsAsObjects({
  columns,
  rows,
}: Pick<ThreadResult, 'columns' | 'rows'>): { [column: string]: CellValue }[] {
  return rows.map((cells) => {
    const row: { [column: string]: CellValue } = {}
    columns.forEach((column, at) => {
      row[column] = cells[at] ?? null
    })
    return row
  })
}

/** SQLite has no Booleans, so they become 1 and 0. */
export const toBindValue = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value)
