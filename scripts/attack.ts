/**
 * `npm run trust`: everything Dossier promises, attacked: faults, hostile input, load, more than one machine. One table.
 * The short form runs with every `npm test`; `--long` is the one to be believed.
 */
import { parseArgs } from 'node:util'
import { openPostgres } from '#tests/support/database/postgres.ts'
import { TRIALS } from '#tests/attack/all-trials.ts'
import { failuresOf, tableOf } from './attack/report.ts'
import { runTrials } from './attack/run-trials.ts'

const NAMES = [...new Set(TRIALS.map(({ name }) => name))]

const USAGE = `npm run trust [-- --long] [--only ${NAMES.join(',')}] [--seed 1]
  --long   as long as it takes to believe it; by default a few seconds of each
  --only   some trials alone
  --seed   where the drawing begins; by default somewhere new`

type Wanted = { readonly isLong: boolean; readonly only: readonly string[]; readonly seed: number }

/** What the command line asks for; undefined when it cannot be understood. */
function readWanted(): Wanted | undefined {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { long: { type: 'boolean' }, only: text, seed: text } })
  const only = values.only?.split(',') ?? NAMES
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const isClear = only.every((name) => NAMES.includes(name)) && Number.isSafeInteger(seed)
  return isClear ? { isLong: values.long === true, only, seed } : undefined
}

async function main(): Promise<number> {
  const wanted = readWanted()
  if (!wanted) {
    console.error(USAGE)
    return 2
  }
  const say = (line: string): void => console.error(line)
  say(`The seed is ${wanted.seed}.`)
  const postgres = await openPostgres()
  process.env['PG_URL'] = postgres.url
  try {
    const chosen = TRIALS.filter(({ name }) => wanted.only.includes(name))
    const reports = await runTrials(chosen, { ...wanted, say })
    const faults = reports.flatMap(failuresOf)
    console.log([tableOf(reports), '', ...faults, `seed ${wanted.seed}: ${faults.length} broken promises`].join('\n'))
    return faults.length === 0 ? 0 : 1
  } finally {
    await postgres.stop()
  }
}

// Ending by `exit` lets those who started a server or a database end it with us.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.exit(await main())
