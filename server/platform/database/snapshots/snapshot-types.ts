import type { Dialect } from '#server/platform/database/database.ts'

export type SnapshotFacts = {
  readonly dialect: Dialect
  readonly migration: number
  readonly rows: Readonly<Record<string, number>>
}

export type SnapshotRequest = {
  readonly folder: string
  readonly lists: readonly { readonly file: string; readonly query: string }[]
  readonly say: (line: string) => void
}

export type SnapshotRestore = {
  readonly folder: string
  /**
   * Returns statements that run on the restored database before it becomes visible. If the function throws, the switch
   * is canceled.
   */
  readonly finally: (facts: SnapshotFacts) => readonly string[]
  readonly into: string
  readonly say: (line: string) => void
}

export type SchemaSwitch = Omit<SnapshotRestore, 'folder' | 'into'> & {
  readonly from: { readonly folder: string } | { readonly schema: string }
  readonly putAside: string | undefined
  readonly beforeCommit: (transaction: SwitchTransaction) => Promise<void>
}

export type SwitchTransaction = { readonly id: string; readonly database: string }
