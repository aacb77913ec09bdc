import { parseArgs } from 'node:util'

/** What a bench run is told on its command line. */
export type BenchOptions = {
  readonly dialect: 'sqlite' | 'postgres'
  /** How many records the collection has. */
  readonly size: number
  /** A part of the names of the measurements to take; all when left out. */
  readonly only: string | undefined
  /** A profile of the server's processor is written to this folder. */
  readonly profileFolder: string | undefined
}

const SIZES = ['100000', '1000000']

/** What to say to whoever asks for help or mistypes. */
export const USAGE = `npm run bench -- [--size 100000|1000000] [--postgres] [--only <part of a name>] [--profile <folder>]`

/** Reads the command line; undefined when it cannot be understood. */
export function readOptions(args: readonly string[]): BenchOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      postgres: { type: 'boolean', default: false },
      size: { type: 'string', default: '100000' },
      only: { type: 'string' },
      profile: { type: 'string' },
    },
    strict: false,
  })
  const { postgres, size, only, profile } = values
  if (typeof size !== 'string' || !SIZES.includes(size)) return undefined
  return {
    dialect: postgres === true ? 'postgres' : 'sqlite',
    size: Number(size),
    only: typeof only === 'string' ? only : undefined,
    profileFolder: typeof profile === 'string' ? profile : undefined,
  }
}
