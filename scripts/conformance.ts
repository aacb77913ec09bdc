/**
 * `npm run conformance`: long runs of the query and formula conformance, access oracle and noninterference tests. Prints
 * the seed that reproduces each disagreement.
 */
import { parseArgs } from 'node:util'
import { QUERIES_PER_SEED, runSeed, type Pair } from '#tests/conformance/query/random-queries.ts'
import { formulasInDatabase } from '#tests/conformance/formulas/formula-executors.ts'
import { LINKED_FORMULAS, linkedFormulasInDatabase } from '#tests/conformance/formulas/linked-formulas.ts'
import { FORMULAS_PER_SEED, OWN_FORMULAS, runFormulaSeed } from '#tests/conformance/formulas/random-formulas.ts'
import { inDatabase, inMemory } from '#tests/conformance/query/executors.ts'
import { stock } from '#tests/conformance/query/data/generated-values.ts'
import { openPostgres } from '#tests/support/database/postgres.ts'
import { openOracle } from '#tests/access-oracle/open-oracle.ts'
import {
  askStagedWorld,
  compareTwins,
  bringExceptionsAbout,
  type Difference,
  inWords,
} from '#tests/access-oracle/noninterference/compare-twins.ts'
import { openTwins, type Twins } from '#tests/access-oracle/noninterference/twins.ts'
import { type Requested, REQUESTS_PER_WORLD, describeDisagreement } from '#tests/access-oracle/run-oracle.ts'

const USAGE = `npm run conformance -- [--filters 100000] [--formulas 100000] [--requests 10000] [--worlds 100] [--seed 1] [--on postgres]
  --filters   queries through memory, SQLite and PostgreSQL (rounded up to hundreds)
  --formulas  formulas through memory, SQLite and PostgreSQL, in two time zones, and one in 20 that read linked records (rounded up to 200)
  --requests  requests to the access oracle's worlds on each database (rounded up to ${REQUESTS_PER_WORLD})
  --worlds    pairs of worlds that differ in one hidden value, on each database
  --on        only one database, sqlite or postgres
  --seed      the random seed; a new one by default`

/** Limit for printed disagreements; they usually share a few causes. */
const MAX_PRINTED = 20

const say = (line: string): void => console.log(line)

const readCount = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN)

async function run(
  what: string,
  { first, count, each }: { readonly first: number; readonly count: number; readonly each: number },
  askOne: (seed: number) => Promise<readonly string[]>,
): Promise<number> {
  const progress = createProgress(what, { count, each })
  for (let done = 0; done < count; done += 1) progress.add(await askOne(first + done))
  return progress.found()
}

function createProgress(what: string, { count, each }: { readonly count: number; readonly each: number }) {
  const startedAtMs = performance.now()
  let done = 0
  let disagreements = 0
  const add = (found: readonly string[]): void => {
    for (const line of found) {
      disagreements += 1
      if (disagreements <= MAX_PRINTED) say(line)
    }
    done += 1
    const isWorthALine = done % Math.max(1, Math.round(count / 20)) === 0 || done === count
    const seconds = Math.round((performance.now() - startedAtMs) / 1000)
    if (isWorthALine) say(`${what}: ${done * each} checked, ${disagreements} disagreements, ${seconds} s`)
  }
  return { add, found: () => disagreements }
}

async function runFilters(first: number, count: number): Promise<number> {
  const memory = inMemory(stock)
  const pairs: Pair[] = []
  for (const dialect of ['sqlite', 'postgres'] as const) pairs.push({ memory, other: await inDatabase(dialect, stock) })
  try {
    return await run('queries', { first, count, each: QUERIES_PER_SEED }, async (seed) =>
      (await runSeed(pairs, seed)).map((one) => `seed ${seed}: ${JSON.stringify(one)}`),
    )
  } finally {
    for (const { other } of pairs) await other.close()
  }
}

const DIALECTS = ['sqlite', 'postgres'] as const

/** One in 20 formulas reads linked records, because these take much longer on PostgreSQL. */
async function runFormulas(first: number, count: number): Promise<number> {
  const seeds = { first, count, each: FORMULAS_PER_SEED }
  const linkedSeeds = { ...seeds, count: Math.ceil(count / 20) }
  const own = await Promise.all(DIALECTS.map((dialect) => formulasInDatabase(dialect)))
  const linked = await Promise.all(DIALECTS.map((dialect) => linkedFormulasInDatabase(dialect)))
  try {
    return (
      (await run('formulas', seeds, (seed) => runFormulaSeed(OWN_FORMULAS, own, seed))) +
      (await run('formulas of linked records', linkedSeeds, (seed) => runFormulaSeed(LINKED_FORMULAS, linked, seed)))
    )
  } finally {
    for (const { close } of [...own, ...linked]) await close()
  }
}

/** Concurrent servers; each is idle while it waits for its database. */
const SERVERS = 3
/** Test workspaces per database; more would slow it down. */
const WORLDS_PER_SERVER = 20

const take = (seeds: Iterator<number>): readonly number[] =>
  Array.from({ length: WORLDS_PER_SERVER }, () => seeds.next()).flatMap(({ done, value }) =>
    done === true ? [] : value,
  )

async function askWorlds(seeds: readonly number[], onRequested: (requested: Requested) => void): Promise<void> {
  const oracle = await openOracle()
  try {
    for (const seed of seeds) onRequested(await oracle.askWorld(seed))
  } finally {
    await oracle.close()
  }
}

async function runOracle(dialect: Dialect, first: number, count: number): Promise<number> {
  process.env['DOSSIER_TEST_DATABASE'] = dialect
  const progress = createProgress(`requests on ${dialect}`, { count, each: REQUESTS_PER_WORLD })
  const kinds = new Map<string, number>()
  const seeds = Array.from({ length: count }, (_, at) => first + at)[Symbol.iterator]()
  const askInTurn = async (): Promise<void> => {
    for (let some = take(seeds); some.length > 0; some = take(seeds)) {
      await askWorlds(some, ({ disagreements, counts }) => {
        for (const [kind, added] of counts) kinds.set(kind, (kinds.get(kind) ?? 0) + added)
        progress.add(disagreements.map(describeDisagreement))
      })
    }
  }
  await Promise.all(Array.from({ length: SERVERS }, askInTurn))
  for (const [kind, some] of [...kinds].toSorted(([one], [other]) => (one < other ? -1 : 1))) say(`  ${some} ${kind}`)
  return progress.found()
}

/**
 * Checks the staged workspaces with their expected exceptions, then random pairs of workspaces that differ in one
 * hidden value.
 */
async function runTwins(dialect: Dialect, first: number, count: number): Promise<number> {
  process.env['DOSSIER_TEST_DATABASE'] = dialect
  const leaksIn = (differences: readonly Difference[]): readonly string[] =>
    differences.filter(({ by }) => by.length === 0).map((leak) => JSON.stringify(inWords(leak)))
  const staged = await withTwins(async (twins) => {
    const missing = (await bringExceptionsAbout(twins)).filter(({ kind, by }) => by.join() !== kind)
    const lines = [
      ...missing.map(({ kind, by }) => `The exception “${kind}” was excused by: ${by.join(', ') || 'nothing'}.`),
      ...leaksIn(await askStagedWorld(twins)),
    ]
    for (const line of lines) say(line)
    return lines.length
  })
  const progress = createProgress(`worlds on ${dialect}`, { count, each: 1 })
  for (let from = first; from < first + count; from += WORLDS_PER_SERVER) {
    await withTwins(async (twins) => {
      for (let seed = from; seed < Math.min(from + WORLDS_PER_SERVER, first + count); seed += 1)
        progress.add(leaksIn(await compareTwins(twins, seed)).map((line) => `worlds ${seed}: ${line}`))
    })
  }
  return staged + progress.found()
}

async function withTwins<Value>(work: (twins: Twins) => Promise<Value>): Promise<Value> {
  const twins = await openTwins()
  try {
    return await work(twins)
  } finally {
    await twins.close()
  }
}

type Dialect = 'sqlite' | 'postgres'
type Call = {
  readonly seed: number
  readonly filters: number
  readonly formulas: number
  readonly requests: number
  readonly worlds: number
  readonly dialects: readonly Dialect[]
}

/** Parsed arguments; undefined if invalid. Naming one kind of run skips the others. */
function parseCall(): Call | undefined {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: { filters: text, formulas: text, requests: text, worlds: text, seed: text, on: text },
  })
  const isWhole = [values.filters, values.formulas, values.requests, values.worlds].every((one) => one === undefined)
  const dialects = (['sqlite', 'postgres'] as const).filter((dialect) => (values.on ?? dialect) === dialect)
  const counts = {
    seed: readCount(values.seed ?? String(Date.now() % 1_000_000)),
    filters: readCount(values.filters ?? (isWhole ? '100000' : '0')),
    formulas: readCount(values.formulas ?? (isWhole ? '100000' : '0')),
    requests: readCount(values.requests ?? (isWhole ? '10000' : '0')),
    worlds: readCount(values.worlds ?? (isWhole ? '100' : '0')),
  }
  const isClear = !Object.values(counts).some(Number.isNaN) && dialects.length > 0
  return isClear ? { ...counts, dialects } : undefined
}

async function runAll({ seed, filters, formulas, requests, worlds, dialects }: Call): Promise<number> {
  const worldCount = Math.ceil(requests / REQUESTS_PER_WORLD)
  let disagreements = filters > 0 ? await runFilters(seed, Math.ceil(filters / QUERIES_PER_SEED)) : 0
  if (formulas > 0) disagreements += await runFormulas(seed, Math.ceil(formulas / FORMULAS_PER_SEED))
  for (const dialect of dialects) {
    if (worldCount > 0) disagreements += await runOracle(dialect, seed, worldCount)
    if (worlds > 0) disagreements += await runTwins(dialect, seed, worlds)
  }
  return disagreements
}

async function main(): Promise<number> {
  const call = parseCall()
  if (!call) {
    console.error(USAGE)
    return 2
  }
  say(`The seed is ${call.seed}.`)
  const postgres = await openPostgres()
  process.env['PG_URL'] = postgres.url
  try {
    return (await runAll(call)) === 0 ? 0 : 1
  } finally {
    await postgres.stop()
  }
}

// `exit` handlers stop the databases.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.exitCode = await main()
