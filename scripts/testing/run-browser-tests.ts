import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { findChromium } from '#tests/support/browser/chromium.ts'
import { findFirefox } from '#tests/support/browser/installed-browser.ts'
import { IS_DAILY } from '#tests/support/test-tier.ts'
import { runWebkitWalk } from './run-webkit-walk.ts'
import type { SuiteReport } from './test-summary.ts'

type BrowserTest = { readonly projectName: string; readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped' }
type BrowserSpec = { readonly title: string; readonly file: string; readonly tests: readonly BrowserTest[] }
type BrowserSuite = {
  readonly specs?: readonly BrowserSpec[]
  readonly suites?: readonly BrowserSuite[]
}
type BrowserRun = { readonly suites: readonly BrowserSuite[]; readonly errors: readonly unknown[] }

const REPORT = '.cache/browser-tests.json'
/** Projects in `playwright.config.ts`. */
const PROJECTS = IS_DAILY
  ? ['on-sqlite']
  : ['on-sqlite', 'on-postgres', ...(findFirefox() !== undefined ? ['on-firefox'] : [])]

type NamedTest = BrowserTest & { readonly title: string }

function testsOf({ specs = [], suites = [] }: BrowserSuite): readonly NamedTest[] {
  const own = specs.flatMap(({ title, file, tests }) => tests.map((test) => ({ ...test, title: `${file} > ${title}` })))
  return [...own, ...suites.flatMap(testsOf)]
}

/** Runs Playwright against the built product and reads its report. */
async function runPlaywright(): Promise<BrowserRun | undefined> {
  mkdirSync('.cache', { recursive: true })
  rmSync(REPORT, { force: true })
  const child = spawn('playwright', ['test', '--reporter=line,json', '--pass-with-no-tests'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: REPORT },
  })
  await once(child, 'exit')
  // The fields used from Playwright's JSON report.
  return existsSync(REPORT) ? (JSON.parse(readFileSync(REPORT, 'utf8')) as BrowserRun) : undefined
}

/** Runs the tests in all installed browsers and reports missing ones; the default tier only needs Chromium. */
export async function runBrowserTests(): Promise<readonly SuiteReport[]> {
  const inPlaywright = await runInPlaywright()
  if (IS_DAILY) return inPlaywright
  const noFirefox = { suite: 'browser on-firefox', notRun: 'no Firefox was found; name yours in DOSSIER_FIREFOX' }
  return [...inPlaywright, ...(findFirefox() === undefined ? [noFirefox] : []), await runWebkitWalk()]
}

async function runInPlaywright(): Promise<readonly SuiteReport[]> {
  if (!findChromium()) {
    const notRun = 'no Chromium was found, and npm brings one for Linux x64 only; name yours in DOSSIER_CHROMIUM'
    return PROJECTS.map((project) => ({ suite: `browser ${project}`, notRun }))
  }
  const run = await runPlaywright()
  if (!run) return [{ suite: 'browser', passed: 0, failed: 1, skipped: 0 }]
  const tests = run.suites.flatMap(testsOf)
  const reports = PROJECTS.map((project) => {
    const those = (...states: BrowserTest['status'][]) =>
      tests.filter(({ projectName, status }) => projectName === project && states.includes(status))
    const count = (...states: BrowserTest['status'][]) => those(...states).length
    return {
      suite: `browser ${project}`,
      passed: count('expected', 'flaky'),
      failed: count('unexpected'),
      skipped: count('skipped'),
      retried: count('flaky'),
      failures: those('unexpected').map(({ title }) => title),
      unsteady: those('flaky').map(({ title }) => title),
    }
  })
  const errors = run.errors.length
  return errors === 0
    ? reports
    : [...reports, { suite: 'errors outside of tests', passed: 0, failed: errors, skipped: 0 }]
}
