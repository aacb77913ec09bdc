/**
 * Uploads files with real client libraries in a real browser, while a proxy drops connections and the server is
 * repeatedly killed. Prints a table even if it runs out of time. `tests/browser/files/upload-clients.spec.ts` is the
 * short version.
 */
import { parseArgs } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import { CHROMIUM_FLAGS, findChromium } from '#tests/support/browser/chromium.ts'
import { clockOf, WITH_MOVABLE_CLOCK } from '#tests/support/clock/time-step.ts'
import { type UploadRunResult, runUpload } from '#tests/conformance/upload/upload-run.ts'
import type { ClientName } from '#tests/conformance/upload/page/main.ts'
import { CLIENTS, openTestBench, type TestBench } from '#tests/conformance/upload/test-bench.ts'
import { type Trial, TRIAL_NAMES, TRIALS, type TrialName } from '#tests/conformance/upload/trials.ts'

const USAGE = `node scripts/upload-conformance.ts [--only ${TRIAL_NAMES.map((name) => name.split(',')[0])
  .filter((name, at, all) => all.indexOf(name) === at)
  .join('|')}] [--client ${CLIENTS.join('|')}]
        [--bytes 2000000000] [--kills 200] [--count 1000] [--faults 0.1] [--seed <number>] [--minutes 120]`

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    client: { type: 'string' },
    bytes: { type: 'string', default: '2000000000' },
    kills: { type: 'string', default: '200' },
    count: { type: 'string', default: '1000' },
    faults: { type: 'string', default: '0.1' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    minutes: { type: 'string', default: '120' },
  },
})
const settings = {
  bytes: Number(values.bytes),
  kills: Number(values.kills),
  count: Number(values.count),
  faultShare: Number(values.faults),
  seed: Number(values.seed),
}
const minutes = Number(values.minutes)
const clients = CLIENTS.filter((client) => values.client === undefined || values.client === client)
const names = TRIAL_NAMES.filter((name) => values.only === undefined || name.split(',')[0] === values.only)
if (clients.length === 0 || names.length === 0 || [...Object.values(settings), minutes].some((each) => !(each >= 0))) {
  console.error(USAGE)
  process.exit(2)
}

const inMb = (count: number): string => `${(count / 1e6).toFixed(1)} MB`

const HEAD = `| trial | client | files | size | intact | kills | faults | 401 | sent twice | share | started | lost | manual retries | time |
|---|---|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|`

function lineOf(name: TrialName, result: UploadRunResult): string {
  const { files, bytes, wrong, broken, kills, faults, expired, twiceBytes, begun, lost, byHand, seconds } = result
  const asSent = broken ?? (wrong.length === 0 ? 'all' : `${wrong.length} NOT`)
  const share = bytes === 0 || broken !== undefined ? '–' : `${((100 * twiceBytes) / bytes).toFixed(1)} %`
  const twice = broken === undefined ? inMb(twiceBytes) : `${inMb(bytes + twiceBytes)} in all`
  const cells = [name, result.client, files, inMb(bytes), asSent, kills, faults, expired, twice, share, begun]
  return `| ${[...cells, lost.length, byHand, `${seconds.toFixed(0)} s`].join(' | ')} |`
}

/** Expires the token at byte offsets spread across the file. */
function planExpiries(environment: TestBench, { files, steps = 0 }: Trial): void {
  const clock = clockOf(environment.server.now())
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  for (let at = 1; at <= steps; at += 1) environment.whenPassed((bytes * at) / (steps + 1), () => clock.goOn())
}

/** Runs one trial on a new server. */
async function tryOne(
  browser: Browser,
  client: ClientName,
  name: TrialName,
  signal: AbortSignal,
): Promise<UploadRunResult> {
  const trial: Trial = TRIALS[name](settings)
  const environment = await openTestBench(settings.seed, trial.steps === undefined ? {} : WITH_MOVABLE_CLOCK)
  try {
    planExpiries(environment, trial)
    const [ordeal] = await runUpload(environment, { ...trial, browser, clients: [client], signal })
    if (ordeal === undefined) throw new Error('Nothing was tried.')
    return ordeal
  } finally {
    await environment.close()
  }
}

const isRight = ({ broken, wrong, lost }: UploadRunResult): boolean =>
  broken === undefined && wrong.length === 0 && lost.length === 0

async function main(): Promise<number> {
  const found = findChromium()
  // On a signal, stops the trials and prints their results.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }
  const browser = await chromium.launch({
    ...signals,
    ...(found && {
      executablePath: found.executablePath,
      args: [...CHROMIUM_FLAGS],
      env: { ...process.env, ...found.env },
    }),
  })
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(), minutes * 60_000)
  process.once('SIGINT', () => ending.abort()).once('SIGTERM', () => ending.abort())
  const lines: string[] = []
  let isAllRight = true
  try {
    for (const [name, client] of names.flatMap((each) => clients.map((one) => [each, one] as const))) {
      if (ending.signal.aborted) {
        lines.push(`| ${name} | ${client} | | | not begun: time was up |`)
        isAllRight = false
        continue
      }
      const ordeal = await tryOne(browser, client, name, ending.signal)
      for (const result of [...ordeal.wrong, ...ordeal.lost]) console.error(`${client}: ${result}`)
      isAllRight &&= isRight(ordeal)
      lines.push(lineOf(name, ordeal))
      console.error(lines.at(-1))
    }
  } finally {
    clearTimeout(timer)
    console.log(`\nseed ${settings.seed}\n\n${HEAD}\n${lines.join('\n')}`)
    await browser.close()
  }
  return isAllRight ? 0 : 1
}

process.exitCode = await main()
