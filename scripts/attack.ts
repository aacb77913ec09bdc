/**
 * `npm run attack`: runs tests with faults, hostile input, load and several instances, and prints one table. `--long`
 * runs the extended version.
 */
import { parseArgs } from 'node:util'
import { openPostgres } from '#tests/support/database/postgres.ts'
import { TRIALS } from '#tests/attack/all-trials.ts'
import { failuresOf, tableOf } from './attack/report.ts'
import { runTrials } from './attack/run-trials.ts'

const NAMES = [...new Set(TRIALS.map(({ name }) => name))]

const USAGE = `npm run attack [-- --long] [--only ${NAMES.join(',')}] [--seed 1]
  --long   the long form; by default a few seconds per trial
  --only   only these trials
  --seed   the random seed; a new one by default`

type Call = { readonly isLong: boolean; readonly only: readonly string[]; readonly seed: number }

/** Parsed arguments; undefined if they are invalid. */
function parseCall(): Call | undefined {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { long: { type: 'boolean' }, only: text, seed: text } })
  const only = values.only?.split(',') ?? NAMES
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const isClear = only.every((name) => NAMES.includes(name)) && Number.isSafeInteger(seed)
  return isClear ? { isLong: values.long === true, only, seed } : undefined
}

async function main(): Promise<number> {
  const call = parseCall()
  if (!call) {
    console.error(USAGE)
    return 2
  }
  const say = (line: string): void => console.error(line)
  say(`The seed is ${call.seed}.`)
  const postgres = await openPostgres()
  process.env['PG_URL'] = postgres.url
  try {
    const chosen = TRIALS.filter(({ name }) => call.only.includes(name))
    const reports = await runTrials(chosen, { ...call, say })
    const faults = reports.flatMap(failuresOf)
    console.log([tableOf(reports), '', ...faults, `seed ${call.seed}: ${faults.length} failures`].join('\n'))
    return faults.length === 0 ? 0 : 1
  } finally {
    await postgres.stop()
  }
}

// Triggers the `exit` handlers, which stop the servers and databases of the trials.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.exit(await main())
