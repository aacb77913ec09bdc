/**
 * `npm test` runs the daily tier; `npm run test:full` runs everything, or one part: `npm run test:full -- --part http`.
 * The last line is the total.
 */
import { parseArgs } from 'node:util'
import { openPostgres } from '#tests/support/database/postgres.ts'
import { checkBundle } from './check-bundle.ts'
import { runCommand } from './run-command.ts'
import { describeFailures, describeSuite, describeSummary, type SuiteReport, sumOf } from './testing/test-summary.ts'

const PARTS = ['unit', 'http', 'browser', 'attack'] as const

type Part = (typeof PARTS)[number]

const { values, positionals } = parseArgs({ options: { part: { type: 'string' } }, allowPositionals: true })
process.env['TEST_TIER'] = positionals.includes('full') ? 'full' : 'daily'
const parts = PARTS.filter((part) => values.part === undefined || part === values.part)
if (parts.length === 0) throw new Error(`--part must be one of ${PARTS.join(', ')}`)

async function checkTypes(): Promise<SuiteReport> {
  const { exitCode, output } = await runCommand('tsc', ['-b', 'domain', 'api', 'server', 'web', 'tests'])
  if (exitCode !== 0) console.log(output)
  return { suite: 'types', passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 }
}

/** Loaded on demand, because their configuration reads TEST_TIER. */
const RUNS: { readonly [Each in Part]: () => Promise<readonly SuiteReport[]> } = {
  unit: async () => {
    const { runUnitTests } = await import('./testing/run-unit-tests.ts')
    return [await checkTypes(), checkBundle(), ...(await runUnitTests(['!http-*', '!oracle-*', '!files-in-s3']))]
  },
  http: async () => {
    const { runUnitTests } = await import('./testing/run-unit-tests.ts')
    return runUnitTests(['http-*', 'oracle-*', 'files-in-s3'])
  },
  browser: async () => (await import('./testing/run-browser-tests.ts')).runBrowserTests(),
  attack: async () => (await import('./testing/run-short-attack.ts')).runShortAttack(),
}

const reports: SuiteReport[] = []
// One PostgreSQL for all suites that need one.
const postgres = await openPostgres()
process.env['PG_URL'] = postgres.url
try {
  for (const part of parts) {
    console.log(`\nRunning ${part} tests …`)
    reports.push(...(await RUNS[part]()))
  }
} catch (error) {
  console.error(error)
  reports.push({ suite: 'all others, see above', passed: 0, failed: 1, skipped: 0 })
} finally {
  await postgres.stop()
}
const sum = sumOf(reports)
console.log(`\n${reports.map(describeSuite).join('\n')}\n\n${describeFailures(reports)}${describeSummary(sum)}`)
// An interrupted test may leave servers open.
process.exit(sum.failed === 0 ? 0 : 1)
