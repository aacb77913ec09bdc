/** `npm test`: everything once, on both databases and in a real browser; the last line is the sum. */
import { openPostgres } from '#tests/support/database/postgres.ts'
import { checkBundle } from './check-bundle.ts'
import { runBrowserTests } from './testing/run-browser-tests.ts'
import { runCommand } from './run-command.ts'
import { runShortAttack } from './testing/run-short-attack.ts'
import { runUnitTests } from './testing/run-unit-tests.ts'
import { describeFailures, describeSuite, describeSummary, type SuiteReport, sumOf } from './testing/test-summary.ts'

async function checkTypes(): Promise<SuiteReport> {
  const { exitCode, output } = await runCommand('tsc', ['-b', 'domain', 'api', 'server', 'web', 'tests'])
  if (exitCode !== 0) console.log(output)
  return { suite: 'types', passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 }
}

/** One PostgreSQL for all suites that need one, named by PG_URL while they run. */
async function runOnBothDatabases(): Promise<readonly SuiteReport[]> {
  const postgres = await openPostgres()
  process.env['PG_URL'] = postgres.url
  try {
    const unit = [checkBundle(), ...(await runUnitTests())]
    console.log('Walking through the product in a browser …')
    const journeys = await runBrowserTests()
    console.log('Attacking what is promised …')
    return [...unit, ...journeys, ...(await runShortAttack())]
  } finally {
    await postgres.stop()
  }
}

console.log('Checking the types …')
const reports = [await checkTypes()]
try {
  reports.push(...(await runOnBothDatabases()))
} catch (error) {
  console.error(error)
  reports.push({ suite: 'all others, see above', passed: 0, failed: 1, skipped: 0 })
}
const sum = sumOf(reports)
console.log(`\n${reports.map(describeSuite).join('\n')}\n\n${describeFailures(reports)}${describeSummary(sum)}`)
// Whatever a test that broke off has left open ends with us.
process.exit(sum.failed === 0 ? 0 : 1)
