import type { CellValue, PackedBatch } from '#server/platform/database/database.ts'

export type ThreadSettings = {
  readonly role: 'writer' | 'reader'
  readonly file: string
  readonly waitsForOthers?: boolean
  readonly lockFile?: string | undefined
}

export type LastStatement = { readonly statement: string; readonly ids: string }

export type ThreadRequest =
  | {
      readonly type: 'run'
      readonly statement: string
      readonly parameters: readonly unknown[]
      readonly opensJob: boolean
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
      readonly last: readonly LastStatement[]
    }
  | { readonly type: 'close' }

export type ThreadNotice =
  | { readonly type: 'end-job'; readonly isKept: boolean }
  | { readonly type: 'forget-statements' }

export type Message = (ThreadRequest & { readonly id: number }) | ThreadNotice

/** Rows as lists in the order of `columns`: the cheapest form to transfer between threads. */
export type ThreadResult = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly CellValue[])[]
  readonly affected?: number | undefined
  /** Time within SQLite, in ms. */
  readonly tookMs: number
}

export type ThreadFault = { readonly code: string; readonly message: string }

export type ThreadReply =
  | { readonly id: number; readonly answer: ThreadResult }
  | { readonly id: number; readonly fault: ThreadFault }
