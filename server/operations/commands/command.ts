import type { Clock } from '#domain/shared/clock.ts'
import type { IdGenerator } from '#domain/shared/ids.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/platform/database/database.ts'

/** What a command is handed that opens nothing, or opens it in its own way. */
export type StandaloneCommandDeps = {
  /** What stood behind the command's name. */
  readonly args: readonly string[]
  readonly config: Config
  readonly clock: Clock
  /** Prints one line. */
  readonly say: (line: string) => void
}

/** What a command of the command line is handed. */
export type CommandDeps = StandaloneCommandDeps & {
  /** Opened beside a server that may be running, its tables up to date; closed when the command is over. */
  readonly database: Database
  /** The steps that were missing and have just been taken to bring the tables up to date. */
  readonly stepsTaken: readonly string[]
  readonly newId: IdGenerator
}

/** One command: `npm run dossier -- <name> <usage>`. What it cannot do it says by throwing a Problem. */
export type Command = {
  readonly name: string
  /** What stands behind the name, such as `<file.csv> --collection <name>`; empty for nothing. */
  readonly usage: string
  /** One line for the list of commands. */
  readonly summary: string
} & Runs

/** Either way it answers the exit code of the process: 0 when all is well. */
type Runs =
  | { readonly run: (needs: CommandDeps) => Promise<number> }
  | { readonly runAlone: (needs: StandaloneCommandDeps) => Promise<number> }
