import type { CellValue, PackedBatch } from '#server/platform/database/database.ts'

/** What a SQLite thread is started with, or a connection of the main thread opened. */
export type ThreadSettings = {
  readonly role: 'writer' | 'reader'
  /** The database file. */
  readonly file: string
  /** Whether a statement waits for another process that holds the file; yes unless said otherwise. */
  readonly waitsForOthers?: boolean
  /** A file this thread holds locked for as long as it lives, so that a second server notices; only for a writer. */
  readonly lockFile?: string | undefined
}

/** A statement of `Transaction.atCommit`, with the ids that the writes of one commit named. */
export type LastStatement = { readonly statement: string; readonly ids: string }

/** What can be asked of a thread; every question gets one answer. */
export type ThreadRequest =
  | {
      readonly type: 'run'
      readonly statement: string
      readonly parameters: readonly unknown[]
      /** The first statement of a write: opens its savepoint, and the transaction around it if none is open. */
      readonly opensJob: boolean
      /** Nobody waits for it: should it fail, the write is undone, whatever is said when it ends. */
      readonly isSent?: boolean
    }
  | {
      readonly type: 'run-for-each'
      readonly statement: string
      readonly rows: readonly (readonly CellValue[])[]
      readonly opensJob: boolean
    }
  | { readonly type: 'run-packed'; readonly batch: PackedBatch; readonly opensJob: boolean }
  | {
      readonly type: 'commit'
      /** Statements to run right before it, each with its one parameter. */
      readonly last: readonly LastStatement[]
    }
  | { readonly type: 'close' }

/** What a thread is told and does not answer: how a write ended, or that tables changed. */
export type ThreadNotice =
  | { readonly type: 'end-job'; readonly isKept: boolean }
  | { readonly type: 'forget-statements' }

/** A question on its way, with the number its answer will carry. */
export type Message = (ThreadRequest & { readonly id: number }) | ThreadNotice

/** Rows as lists in the order of `columns`: the cheapest form to hand from thread to thread. */
export type ThreadResult = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly CellValue[])[]
  readonly affected?: number | undefined
  /** How long SQLite itself took, in ms. */
  readonly tookMs: number
}

/** What went wrong in a thread; `code` is SQLite's own name of it. */
export type ThreadFault = { readonly code: string; readonly message: string }

/** What a thread sends: first that it is open or why it is not, then one reply for each question. */
export type ThreadReply =
  | { readonly id: number; readonly answer: ThreadResult }
  | { readonly id: number; readonly fault: ThreadFault }
