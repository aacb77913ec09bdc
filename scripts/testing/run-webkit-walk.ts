import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findOnMachine } from '#tests/support/browser/installed-browser.ts'
import { ADA, asProgram, WITH_ADA } from '#tests/support/browser/session-page.ts'
import { KEYS, openWebDriver, type WebDriver } from '#tests/support/browser/web-driver.ts'
import { findFreePort, startServer } from '#tests/support/server/started-server.ts'
import type { SuiteReport } from './test-summary.ts'

const SUITE = 'browser on WebKitGTK'
const PICTURE = resolve('samples/pictures/routes-from-den.webp')
const DRIVER_STARTS_WITHIN_MS = 30_000

type Ask = Awaited<ReturnType<typeof asProgram>>['ask']
type Walk = { readonly driver: WebDriver; readonly url: string; readonly ask: Ask }

function expect(claim: string, isTrue: boolean): void {
  if (!isTrue) throw new Error(`Expected that ${claim}`)
}

/** Creates a collection whose columns are wider than the window. */
async function makeHouses(ask: Ask): Promise<void> {
  const fields = ['Title', 'Town', 'Street', 'Keeper', 'Color', 'Phone', 'Remark', 'Code'].map((label) => ({
    label,
    kind: 'text',
  }))
  await ask('POST', '/api/collections', {
    label: 'Houses',
    fields: [...fields, { label: 'Notes', kind: 'rich-text' }, { label: 'Pictures', kind: 'files' }],
  })
  const create = Array.from({ length: 30 }, (_, at) => ({ values: { title: `House ${at + 1}` } }))
  await ask('POST', '/api/collections/houses/records/bulk', { create })
}

async function storedHouse(ask: Ask): Promise<{ readonly [field: string]: unknown }> {
  const { items } = await ask('GET', '/api/collections/houses/records?perPage=1&expand=*')
  // Matches the API contract.
  return (items as readonly [{ readonly values: { readonly [field: string]: unknown } }])[0].values
}

/** Waits until the stored record satisfies the assertion. */
async function untilStored(ask: Ask, claim: string, isMet: (values: string) => boolean): Promise<void> {
  for (let times = 0; times < 300; times += 1) {
    if (isMet(JSON.stringify(await storedHouse(ask)))) return
    await pause(100)
  }
  throw new Error(`Expected that ${claim}`)
}

const CELL = '.grid-row [role="gridcell"][aria-colindex="3"]'
const PANEL = '.record-panel'

/** The main scenario in order; each step depends on the previous ones. */
const STEPS: Readonly<Record<string, (walk: Walk) => Promise<void>>> = {
  'signs in': async ({ driver, url }) => {
    await driver.go(`${url}/login`)
    await driver.run('localStorage.setItem("dossier.tours", "off")')
    await driver.type('input[type="email"], input[autocomplete~="username"]', ADA.email)
    await driver.type('input[type="password"]', ADA.password + KEYS.enter)
    await driver.find('button', 'account of')
  },
  'keeps frozen columns in place when the list scrolls sideways': async ({ driver, url }) => {
    await driver.go(`${url}/collections/houses`)
    await driver.find('.grid-row', 'House 1')
    await driver.run('document.querySelector(".grid-scroller").scrollLeft = 200')
    await driver.until('return document.querySelector(".grid-scroller").scrollLeft > 100')
    const moved = await driver.run<number>(`
      const startOf = (name) => document.querySelector(name).getBoundingClientRect().left
      return Math.abs(startOf('.grid-row .grid-frozen') - startOf('.grid-scroller'))`)
    expect('frozen columns stay', moved < 1)
    await driver.run('document.querySelector(".grid-scroller").scrollLeft = 0')
  },
  'edits a cell': async ({ driver, ask }) => {
    await driver.click(CELL)
    await driver.type(CELL, KEYS.enter)
    await driver.type('.grid-editor input', `Wells${KEYS.enter}`)
    await untilStored(ask, 'the cell is stored', (values) => values.includes('Wells'))
  },
  'writes in a record beside the list, which stays in place': async ({ driver, ask }) => {
    await driver.click('.grid-row a', 'House 1')
    await driver.type(`${PANEL} [contenteditable="true"]`, 'seen by the gate')
    await untilStored(ask, 'the text is stored', (values) => values.includes('seen by the gate'))
    const overflow = await driver.run<number>(
      'const main = document.querySelector(".shell-main"); return main.scrollHeight - main.clientHeight',
    )
    expect('only the list and the panel scroll', overflow === 0)
  },
  'attaches a picture on the page of a record': async ({ driver, ask }) => {
    await driver.click(`${PANEL} a`, 'Open full page')
    await driver.find('.files-input')
    await driver.choose('.files-input input[type="file"]', PICTURE)
    await driver.find('button', 'Preview routes-from-den.webp')
    await untilStored(ask, 'the picture is stored', (values) => values.includes('routes-from-den.webp'))
  },
  'signs out': async ({ driver }) => {
    await driver.click('button', 'account of')
    await driver.click('[role="menuitem"]', 'Sign out')
    await driver.until('return /signed out/i.test(document.body.textContent)')
  },
}

/** Runs the steps until one fails; the remaining steps also count as failed. */
async function walkThrough(walk: Walk): Promise<SuiteReport> {
  const titles = Object.keys(STEPS)
  let passed = 0
  const failures: string[] = []
  for (const [title, step] of Object.entries(STEPS)) {
    try {
      await step(walk)
      passed += 1
      console.log(`[${passed}/${titles.length}] [${SUITE}] ${title}`)
    } catch (error) {
      failures.push(`${title}: ${String(error)}`, ...titles.slice(passed + 1))
      break
    }
  }
  return { suite: SUITE, passed, failed: failures.length, skipped: 0, failures }
}

/** Starts a virtual display; the program prints the display number that it chose. */
async function startScreen(program: string): Promise<{ readonly screen: ChildProcess; readonly display: string }> {
  const screen = spawn(program, ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [number] = (await once(createInterface(screen.stdout), 'line')) as [string]
  return { screen, display: `:${number}` }
}

async function untilListening(url: string): Promise<void> {
  const deadline = Date.now() + DRIVER_STARTS_WITHIN_MS
  while (
    !(await fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (Date.now() > deadline) throw new Error('The driver of WebKitGTK does not start')
    await pause(100)
  }
}

/** Tests the main scenario in WebKitGTK, Safari's engine, if it is installed. */
export async function runWebkitWalk(): Promise<SuiteReport> {
  const driverProgram = findOnMachine({ names: ['WebKitWebDriver'] })
  const screenProgram = findOnMachine({ names: ['Xvfb'] })
  if (driverProgram === undefined || screenProgram === undefined)
    return { suite: SUITE, notRun: 'it needs WebKitWebDriver and Xvfb (Debian: webkit2gtk-driver, xvfb)' }
  const [port, server, { screen, display }] = await Promise.all([
    findFreePort(),
    startServer(WITH_ADA),
    startScreen(screenProgram),
  ])
  const driverProcess = spawn(driverProgram, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: display, LANGUAGE: 'en', GDK_BACKEND: 'x11' },
  })
  try {
    await untilListening(`http://127.0.0.1:${port}`)
    const driver = await openWebDriver(`http://127.0.0.1:${port}`, {})
    await driver.resize(1280, 900)
    const { ask } = await asProgram(server.url, ADA)
    await makeHouses(ask)
    const report = await walkThrough({ driver, url: server.url, ask })
    await driver.close()
    return report
  } finally {
    driverProcess.kill()
    screen.kill()
    await server.stop()
  }
}
