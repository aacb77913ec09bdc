import type { Clock } from '#domain/shared/time.ts'
import type { IdGenerator } from '#domain/shared/ids.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Database } from '#server/platform/database/database.ts'

/** Dependencies of a command that opens the database itself, or no dependencies. */
export type StandaloneCommandDeps = {
  /** Arguments after the command's name. */
  readonly args: readonly string[]
  readonly config: Config
  readonly clock: Clock
  readonly say: (line: string) => void
}

export type CommandDeps = StandaloneCommandDeps & {
  /** Migrated and open, possibly next to a running server; closed after the command. */
  readonly database: Database
  /** Migrations that were just applied. */
  readonly stepsTaken: readonly string[]
  readonly newId: IdGenerator
}

/** `npm run dossier -- <name> <usage>`. Throws a Problem for expected errors. */
export type Command = {
  readonly name: string
  /** Such as `<file.csv> --collection <name>`; empty for none. */
  readonly usage: string
  readonly summary: string
} & Runs

/** Both return the exit code: 0 for success. */
type Runs =
  | { readonly run: (deps: CommandDeps) => Promise<number> }
  | { readonly runAlone: (deps: StandaloneCommandDeps) => Promise<number> }

/** Checks of a large database take minutes, and a user can interrupt a command. */
export const COMMAND_TIME_LIMITS = { readMs: 60 * 60 * 1000, writeMs: 10 * 60 * 1000 }
