import type { Clock } from '#domain/shared/time.ts'
import type { IdGenerator } from '#domain/shared/ids.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Database } from '#server/platform/database/database.ts'

/** Dependencies of a command that opens the database itself or doesn't need it. */
export type StandaloneCommandDeps = {
  /** Arguments after the command name. */
  readonly args: readonly string[]
  readonly config: Config
  readonly clock: Clock
  readonly say: (line: string) => void
}

export type CommandDeps = StandaloneCommandDeps & {
  /** The opened and migrated database, closed after the command; a server may be using it at the same time. */
  readonly database: Database
  /** Migrations that were applied when the database was opened. */
  readonly stepsTaken: readonly string[]
  readonly newId: IdGenerator
}

/** `npm run dossier -- <name> <usage>`. Throws a Problem for expected errors. */
export type Command = {
  readonly name: string
  /** For example, `<file.csv> --collection <name>`; empty if there are no arguments. */
  readonly usage: string
  readonly summary: string
} & Runs

/** Both functions return the exit code; 0 means success. */
type Runs =
  | { readonly run: (deps: CommandDeps) => Promise<number> }
  | { readonly runAlone: (deps: StandaloneCommandDeps) => Promise<number> }

/** Long time limits, because checking a large database takes minutes and the user can interrupt the command. */
export const COMMAND_TIME_LIMITS = { readMs: 60 * 60 * 1000, writeMs: 10 * 60 * 1000 }
