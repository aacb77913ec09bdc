/**
 * `npm test` runs the daily tier; `npm run test:full` runs all tests, or one part: `npm run test:full -- --part http`.
 * The last line shows the total.
 */
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openPostgres } from '#tests/support/database/postgres.ts'
import { checkBundle } from './check-bundle.ts'
import { runCommand, TYPE_CHECK } from './run-command.ts'
import { createMemoryFolder } from './testing/memory-folder.ts'
import { describeFailures, describeSuite, describeSummary, type SuiteReport, sumOf } from './testing/test-summary.ts'

const PARTS = ['unit', 'http', 'browser', 'attack'] as const

type Part = (typeof PARTS)[number]

const { values, positionals } = parseArgs({ options: { part: { type: 'string' } }, allowPositionals: true })
const isDaily = !positionals.includes('full')
process.env['TEST_TIER'] = isDaily ? 'daily' : 'full'
const isSelected = (part: Part): boolean => values.part === undefined || part === values.part
if (!PARTS.some(isSelected)) throw new Error(`--part must be one of ${PARTS.join(', ')}`)

/** The Vitest projects in each part. */
const PROJECTS = {
  unit: ['!http-*', '!access-oracle-*', '!files-in-s3'],
  http: ['http-*', 'access-oracle-*', 'files-in-s3'],
}

async function checkTypes(): Promise<readonly SuiteReport[]> {
  const { exitCode, output } = await runCommand(TYPE_CHECK.command, TYPE_CHECK.args)
  if (exitCode !== 0) console.log(output)
  return [{ suite: 'types', passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 }]
}

async function runVitest(selected: readonly (keyof typeof PROJECTS)[]): Promise<readonly SuiteReport[]> {
  const { runUnitTests } = await import('./testing/run-unit-tests.ts')
  // If both parts are selected, runs them together so that no core is idle in between.
  const [part] = selected
  return runUnitTests(selected.length === 1 && part !== undefined ? PROJECTS[part] : ['*'])
}

/** Imports each runner on demand, because their configuration reads TEST_TIER. */
async function* run(): AsyncGenerator<readonly SuiteReport[]> {
  if (isSelected('unit')) yield [checkBundle()]
  const inVitest = (['unit', 'http'] as const).filter(isSelected)
  const types = isSelected('unit') ? [checkTypes()] : []
  const tests = inVitest.length > 0 ? [runVitest(inVitest)] : []
  yield (await Promise.all([...types, ...tests])).flat()
  // Attack tests run alongside the browser tests, because they mostly wait for servers to start and stop. In the daily
  // tier, two HTTP tests kill servers instead.
  const browser = isSelected('browser') ? [(await import('./testing/run-browser-tests.ts')).runBrowserTests()] : []
  const attack =
    isSelected('attack') && !isDaily ? [(await import('./testing/run-short-attack.ts')).runShortAttack()] : []
  yield (await Promise.all([...browser, ...attack])).flat()
}

const reports: SuiteReport[] = []
// Writing to the disk takes a fifth of the time; the full tier writes to it.
const folder = isDaily ? createMemoryFolder() : undefined
if (folder !== undefined) process.env['TMPDIR'] = folder
// Shares one PostgreSQL server between all suites.
const postgres = await openPostgres()
process.env['PG_URL'] = postgres.url
// `scripts/boot.mjs` has already built the server.
process.env['SERVER_IS_BUILT'] = 'yes'
try {
  for await (const part of run()) reports.push(...part)
} catch (error) {
  console.error(error)
  reports.push({ suite: 'all others, see above', passed: 0, failed: 1, skipped: 0 })
} finally {
  await postgres.stop()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
}
const sum = sumOf(reports)
console.log(`\n${reports.map(describeSuite).join('\n')}\n\n${describeFailures(reports)}${describeSummary(sum)}`)
// Exits explicitly, because an interrupted test may leave servers running.
process.exit(sum.failed === 0 ? 0 : 1)
